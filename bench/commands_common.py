"""What the programs that measure commands share: the cost of bench/spin, and neighbours that disturb."""
import resource
import subprocess


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def cost_of(spin):
    """CPU seconds of one loop and of an empty run, from long runs and many empty ones; the least of each."""
    loops = 200000000
    per_loop = min(cpu_seconds([spin, str(loops)]) for _ in range(3)) / loops
    empty = min(cpu_seconds([spin, "0"]) for _ in range(300))
    return per_loop, empty


def with_neighbours(build, count, seconds):
    return [subprocess.Popen([f"{build}/bench/neighbour", "--seed", str(i), "--seconds", str(seconds)]) for i in range(count)]
