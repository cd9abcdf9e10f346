// SPDX-License-Identifier: MIT
package tare;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Benchmarks in Java, measured by tare (docs/protocol.md).
 *
 * <pre>
 *     TareBench suite = new TareBench();
 *     suite.add("hash/n=100", n -> { for (long i = 0; i < n; i++) TareBench.keep(hash(100)); });
 *     suite.main(args);
 * </pre>
 *
 * What follows an add() speaks of that benchmark: option("iterations", "20") is a default of an option of `tare bench`, items(8) and
 * bytes(4096) are what one invocation handles, gc() collects garbage before every iteration, outside the clock, on both sides of a pair
 * alike. Inside a body report("hits", value, "", true) is a number of the iteration, unit("latency", value, "s", false) the reading of
 * one unit of work, as many as you like (every 2nd, 4th, ... is kept when there are too many).
 *
 * The body runs n invocations. `java Suite` prints a plain table, `tare bench 'java Suite'` measures with intervals. A body that
 * throws {@link Skip} is left out, with its message; anything else that it throws fails it. "/name=value" in a name is a parameter;
 * white space in a name becomes "_".
 * Java cannot change its environment: a benchmark that starts programs takes TARE_CHANNEL out of theirs (docs/harness.md).
 */
public final class TareBench {
    public interface Body { void run(long invocations) throws Exception; }

    public interface Step { void run() throws Exception; }

    public static final class Skip extends RuntimeException {
        public Skip(String reason) { super(reason); }
    }

    private static final class Benchmark {
        String name; // as it was given
        Body body;
        Step setUp = () -> { };
        Step tearDown = () -> { };
        boolean collects;
        double items, bytes; // of one invocation
        final Map<String, String> defaults = new LinkedHashMap<>();
    }

    private static final int UNITS_MAX = 4096;

    /** The readings of single units in an iteration: every stride-th of them. */
    private static final class Units {
        String head;
        long total, stride = 1;
        int count;
        final double[] values = new double[UNITS_MAX];

        void add(double value) {
            if (total++ % stride != 0) return;
            if (count == UNITS_MAX) {
                for (count = 0; count < UNITS_MAX / 2; count++) values[count] = values[2 * count];
                stride *= 2;
                if ((total - 1) % stride != 0) return;
            }
            values[count++] = value;
        }
    }

    private static volatile Object keptObject;
    private static volatile long keptLong;
    private static volatile double keptDouble;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private final Map<String, Benchmark> benchmarks = new LinkedHashMap<>();
    private final Map<String, String> reported = new LinkedHashMap<>();
    private Units units = new Units();
    private Benchmark selected, last;

    /** The value is needed: the compiler may not leave out its computation. */
    public static void keep(Object value) { keptObject = value; }
    public static void keep(long value) { keptLong = value; }
    public static void keep(double value) { keptDouble = value; }

    public TareBench add(String name, Body body) { return add(name, () -> { }, body, () -> { }); }

    public TareBench add(String name, Step setUp, Body body, Step tearDown) {
        Benchmark b = new Benchmark();
        b.name = name;
        b.body = body;
        b.setUp = setUp;
        b.tearDown = tearDown;
        if (benchmarks.putIfAbsent(plain(name), b) != null)
            throw new IllegalArgumentException("two benchmarks are called " + plain(name));
        last = b;
        return this;
    }

    public TareBench option(String name, String value) { last.defaults.put(plain(name), value.replaceAll("\\p{Cc}", " ")); return this; }
    public TareBench items(double perInvocation) { last.items = perInvocation; return this; }
    public TareBench bytes(double perInvocation) { last.bytes = perInvocation; return this; }
    public TareBench gc() { last.collects = true; return this; }

    private static String described(String name, String unit, boolean higher) {
        return plain(name) + " " + (unit.isEmpty() ? "-" : plain(unit)) + (higher ? " higher" : " lower");
    }

    /** A number of the iteration; the last call for a name counts. */
    public void report(String name, double value, String unit, boolean higherIsBetter) {
        if (!Double.isFinite(value)) throw new IllegalArgumentException(name + " is " + value);
        reported.put(plain(name), described(name, unit, higherIsBetter) + " " + value);
    }

    /** A reading of one unit of work; all of an iteration are of one name. */
    public void unit(String name, double value, String unit, boolean higherIsBetter) {
        if (!Double.isFinite(value)) throw new IllegalArgumentException(name + " is " + value);
        if (units.head == null) units.head = described(name, unit, higherIsBetter);
        units.add(value);
    }

    private static String plain(String text) { return text.replaceAll("(?U)[\\s\\p{Cc}]", "_"); }

    /** Nanoseconds that this thread has waited for a CPU, or -1. */
    private static long delay() {
        try {
            String[] account = Files.readString(Path.of("/proc/thread-self/schedstat")).trim().split(" ");
            return account[2].equals("0") ? -1 : Long.parseLong(account[1]); // zeros: the kernel keeps no account
        } catch (IOException | RuntimeException e) {
            return -1;
        }
    }

    /** Wall, CPU and waiting time of the invocations, in nanoseconds; only the body lies between the wall clock's reads. */
    private static long[] time(Body body, long count) throws Exception {
        long delay = delay(), cpu = THREADS.getCurrentThreadCpuTime(), wall = System.nanoTime();
        body.run(count);
        wall = System.nanoTime() - wall;
        cpu = THREADS.getCurrentThreadCpuTime() - cpu;
        long after = delay();
        return new long[] {wall, cpu, delay < 0 || after < 0 ? -1 : after - delay};
    }

    /** {fixed wall, fixed CPU}: medians of readings around nothing. */
    private static long[] fixed() throws Exception {
        long[] wall = new long[101], cpu = new long[101];
        for (int i = 0; i < 101; i++) {
            long[] t = time(n -> { }, 0);
            wall[i] = t[0];
            cpu[i] = t[1];
        }
        Arrays.sort(wall);
        Arrays.sort(cpu);
        return new long[] {wall[50], cpu[50]};
    }

    /** The last line of a reply: one line of the protocol, which has 4096 bytes. */
    private static String status(Throwable e) {
        String text = e instanceof Skip ? "skip " + e.getMessage() : "fail " + e.getClass().getName() + ": " + e.getMessage();
        return text.substring(0, Math.min(text.length(), 1000)).replaceAll("[\\s\\p{Cc}]+", " ");
    }

    private String list() {
        StringBuilder text = new StringBuilder();
        benchmarks.forEach((name, b) -> {
            text.append("bench ").append(name).append('\n');
            for (String part : b.name.replaceAll("\\p{Cc}", "_").split("/")) {
                String[] pair = part.split("=", 2);
                if (pair.length == 2 && !pair[0].isEmpty())
                    text.append("param ").append(plain(pair[0])).append(' ').append(pair[1]).append('\n');
            }
            b.defaults.forEach((option, value) -> text.append("default ").append(option).append(' ').append(value).append('\n'));
        });
        return text + "ok";
    }

    private String iteration(long count) throws Exception {
        reported.clear();
        units = new Units();
        if (selected.collects) System.gc();
        long[] t = time(selected.body, count);
        StringBuilder text = new StringBuilder("wall " + t[0] + "\ncpu " + t[1] + (t[2] >= 0 ? "\ndelay " + t[2] : ""));
        if (selected.items > 0) text.append("\nitems ").append(selected.items * count);
        if (selected.bytes > 0) text.append("\nbytes ").append(selected.bytes * count);
        for (String metric : reported.values()) text.append("\nmetric ").append(metric);
        if (units.head != null)
            text.append("\nunits ").append(units.head).append(' ').append(units.total).append(' ').append(units.stride);
        for (int i = 0; i < units.count; i++) text.append("\nunit ").append(units.values[i]);
        return text + "\nok";
    }

    private String answer(String word, String rest) throws Exception {
        if (selected != null && (word.equals("select") || word.equals("end") || word.equals("quit"))) {
            Step tearDown = selected.tearDown;
            selected = null;
            tearDown.run();
        }
        switch (word) {
        case "tare": return "tare 1 java 1";
        case "list": return list();
        case "calibrate": {
            long[] f = fixed(); // the loop is the body's own: nothing to take off
            return "resolution 1\nfixed " + f[0] + "\nfixed-cpu " + f[1] + "\nloop 0\nloop-limit 0\nok";
        }
        case "select": {
            Benchmark b = benchmarks.get(rest);
            if (b == null) return "error no benchmark is called " + rest;
            b.setUp.run();
            selected = b;
            return "ok";
        }
        case "run": {
            if (selected == null) return "error no benchmark is selected";
            return iteration(Long.parseLong(rest.split(" ")[0]));
        }
        case "end": case "quit": return "ok";
        default: return "error unknown command " + word;
        }
    }

    private void obey(String channel) throws IOException {
        String[] fd = channel.split(" ");
        try (BufferedReader in = new BufferedReader(new InputStreamReader(new FileInputStream("/dev/fd/" + fd[1]), StandardCharsets.UTF_8));
             PrintStream out = new PrintStream(new FileOutputStream("/dev/fd/" + fd[2]), false, "UTF-8")) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                int space = line.indexOf(' ');
                String word = space < 0 ? line : line.substring(0, space), reply;
                try {
                    reply = answer(word, space < 0 ? "" : line.substring(space + 1));
                } catch (Throwable e) { // whatever a benchmark throws is its result
                    reply = status(e);
                }
                System.out.flush();
                out.print(reply + "\n");
                out.flush();
                if (word.equals("quit")) return;
            }
        }
    }

    public void main(String[] args) throws Exception {
        String channel = System.getenv("TARE_CHANNEL");
        if (channel != null) {
            obey(channel);
            return;
        }
        for (Map.Entry<String, Benchmark> entry : benchmarks.entrySet()) {
            if (Arrays.asList(args).contains("--list")) {
                System.out.println(entry.getKey());
                continue;
            }
            try {
                Benchmark b = entry.getValue();
                b.setUp.run();
                try {
                    long count = 1;
                    while (!Arrays.asList(args).contains("--test") && time(b.body, count)[0] < 50_000_000) count *= 2;
                    System.out.printf("%-40s %14.1f ns%n", entry.getKey(), (double) time(b.body, count)[0] / count);
                } finally {
                    b.tearDown.run();
                }
            } catch (Throwable e) { // the suite goes on
                System.out.printf("%-40s %s%n", entry.getKey(), status(e));
            }
        }
        System.out.println("\nQuick numbers of one process. To measure for real: tare bench 'java …'");
    }
}
