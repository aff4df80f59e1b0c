// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.mpi;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.heddle.frameworks.gang.Gang.Seat;
import org.heddle.settings.process.ProcessStart;

/**
 * MPICH's {@code mpiexec.hydra} with {@code -launcher manual}: it prints the command of a proxy for each host, waits
 * for them, starts the program through them, and passes its output on.
 */
final class Hydra {
    private static final String LAUNCH = "HYDRA_LAUNCH: ";
    private static final String END = "HYDRA_LAUNCH_END";
    private static final long TERM_SECONDS = 2;

    private final Process process;
    private final List<String> proxies = new ArrayList<>();

    /**
     * Starts it, and returns when it has printed its proxies.
     *
     * @param program the path of mpiexec.hydra
     * @param address where the proxies can reach it
     * @param seats one proxy each, with as many processes as it has slots
     * @param options more options, for example {@code -wdir}, then the MPI program and its arguments
     */
    Hydra(String program, String address, List<Seat> seats, List<String> options) throws IOException {
        List<String> command = new ArrayList<>(List.of(program, "-launcher", "manual", "-localhost", address));
        command.add("-hosts");
        command.add(String.join(",", hosts(seats)));
        command.add("-n");
        command.add(Integer.toString(seats.stream().mapToInt(Seat::slots).sum()));
        command.addAll(options);
        // It gives its environment to the program.
        process = ProcessStart.users(
                command,
                builder -> builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                        .redirectError(ProcessBuilder.Redirect.INHERIT));
        InputStream in = process.getInputStream();
        for (String line = line(in); !line.equals(END); line = line(in)) {
            if (line.startsWith(LAUNCH)) {
                proxies.add(line.substring(LAUNCH.length()).strip());
            }
        }
        if (proxies.size() != seats.size()) {
            process.destroyForcibly();
            throw new IOException(program + " printed " + proxies.size() + " proxies for " + seats.size() + " hosts");
        }
    }

    /** Hydra would give two containers of one node one proxy; so the second one gets a name of its own. */
    static List<String> hosts(List<Seat> seats) {
        Set<String> used = new HashSet<>();
        return seats.stream()
                .map(seat ->
                        (used.add(seat.host()) ? seat.host() : seat.host() + "." + seat.task()) + ":" + seat.slots())
                .toList();
    }

    private String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int one = in.read(); one != '\n'; one = in.read()) {
            if (one < 0) {
                throw new IOException("mpiexec.hydra ended before it printed its proxies: " + line);
            }
            line.write(one);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    /** Passes its output on and, when that and the process have ended, its exit code. */
    void watch(OutputStream out, IntConsumer whenOver) {
        daemon("mpi-output", () -> {
            try {
                process.getInputStream().transferTo(out);
                out.flush();
                whenOver.accept(process.waitFor());
            } catch (IOException e) {
                whenOver.accept(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** The commands of the proxies, in the order of the seats. */
    List<String> proxies() {
        return proxies;
    }

    /** SIGTERM, and SIGKILL when that does not help. */
    void kill() {
        process.destroy();
        killAfter(0);
    }

    /** The same, and returns when it has ended: it needs its proxies in order to end the program's processes. */
    void end() {
        process.destroy();
        try {
            process.waitFor(TERM_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }

    /** The same for one that has not ended by then. */
    void killAfter(int seconds) {
        daemon("mpi-kill", () -> {
            try {
                if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                    process.destroy();
                }
                if (!process.waitFor(TERM_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
            }
        });
    }
}
