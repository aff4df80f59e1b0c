// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;

/**
 * One scheduler in a process of its own: {@code Worker SCHEDULER SIZE SEED}. Says {@code ready}; answers {@code block},
 * {@code shares} and {@code summary} on standard input with a line each; ends with its input.
 */
public final class Worker {
    /** Containers; the compiler needs as many. */
    private static final long WARM_UP = 120_000;

    static final String SHARES = "shares ";

    private Worker() {}

    private static String answer(DrivenManager driven, String question) {
        return switch (question) {
            case "block" -> driven.block().line();
            case "shares" ->
                SHARES
                        + Arrays.stream(driven.shares())
                                .mapToObj(String::valueOf)
                                .collect(Collectors.joining(" "));
            default -> driven.summary().line();
        };
    }

    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // whatever Hadoop has to say
        LogManager.getRootLogger().setLevel(Level.OFF);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Workload load = Workload.named(arguments[1], Long.parseLong(arguments[2]));
        try (DrivenManager driven = new DrivenManager(Contestant.named(arguments[0]), load)) {
            driven.warmUp(WARM_UP);
            out.println("ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.println(answer(driven, line));
            }
        } catch (IllegalStateException e) {
            out.println("wrong " + e.getMessage());
        }
        System.exit(0); // threads of the ResourceManager may live on
    }
}
