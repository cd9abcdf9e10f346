// Benchmarks of Java code. `./build.sh` makes suite.jar; `java -jar suite.jar` alone, or `tare bench 'java -jar suite.jar'`.
import tare.TareBench;
import java.util.Arrays;
import java.util.Random;

public final class Suite {
    private static int[] values;

    private static void fill(int n) {
        values = new Random(1).ints(n).toArray();
    }

    private static long polynomial(long x) {
        return ((x * 3 + 1) * 5 + 7) * 11;
    }

    public static void main(String[] args) throws Exception {
        TareBench suite = new TareBench();
        for (int size : new int[] {100, 10000}) {
            suite.add("sort/n=" + size, () -> fill(size), n -> {
                for (long i = 0; i < n; i++) {
                    int[] copy = values.clone();
                    Arrays.sort(copy);
                    TareBench.keep(copy);
                }
            }, () -> values = null);
        }
        suite.add("polynomial", n -> {
            long x = 1;
            for (long i = 0; i < n; i++) x = polynomial(x);
            TareBench.keep(x);
        }).items(1).option("iterations", "20");
        suite.add("allocate", n -> {
            for (long i = 0; i < n; i++) {
                long start = System.nanoTime();
                TareBench.keep(new byte[1 << 12]);
                suite.unit("latency", (System.nanoTime() - start) / 1e9, "s", false);
            }
            suite.report("blocks", n, "", true);
        }).gc();
        suite.add("needs_gpu", () -> { throw new TareBench.Skip("no GPU here"); }, n -> { }, () -> { });
        suite.main(args);
    }
}
