// Benchmarks that go wrong, one for each way; tests/harness/test_clients.c runs them.
import tare.TareBench;
import java.lang.management.ManagementFactory;

public final class Wrong {
    private static long recurse(long n) { return n == 0 ? 0 : recurse(n + 1) + 1; }

    /** Of this thread, in bytes. */
    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
            .getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    private static void keepNumbers() {
        long before = allocated();
        for (int i = 0; i < 100000; i++) {
            TareBench.keep(i + 0.5);
            TareBench.keep(i + 0.5f);
        }
        long grown = allocated() - before;
        if (grown > 100000) throw new IllegalStateException("keep() took " + grown + " bytes");
    }

    public static void main(String[] args) throws Exception {
        TareBench suite = new TareBench();
        suite.add("throws", n -> { if (n > 0) throw new IllegalStateException("oh\ndear"); });
        suite.add("asserts", n -> { throw new AssertionError("not so"); });
        suite.add("recurses", n -> recurse(n));
        suite.add("rants", n -> { throw new IllegalStateException("oh\0dear " + "\ud83d\ude00".repeat(5000)); });
        suite.add("prints", n -> { for (long i = 0; i < n; i++) System.out.println("hello"); });
        suite.add("keeps", n -> keepNumbers());
        suite.add("starts", n -> {
            String probe = "for fd in 3 4 5; do [ ! -e /proc/self/fd/$fd ] || exit 1; done";
            if (new ProcessBuilder("sh", "-c", probe).start().waitFor() != 0) throw new IllegalStateException("the channel is open");
        });
        suite.add("ends", n -> { if (n > 0) System.exit(3); });
        suite.add("blanks/text=a b", n -> { });
        suite.add("blanks/text=c\n\u2003d", n -> { });
        if (args.length > 0) suite.add("blanks/text=a_b", n -> { });
        suite.main(args);
    }
}
