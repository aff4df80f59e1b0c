// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The other end of a {@link Worker}. */
final class WorkerProcess implements AutoCloseable {
    /** Nodes from which a process gets 8 GB. */
    private static final int LARGE = 20_000;

    final Contestant contestant;

    final List<Block> blocks = new ArrayList<>();

    @Nullable
    RunSummary summary;

    private final Path log;
    private final Process process;
    private final BufferedReader out;
    private final PrintStream in;
    private boolean failed;

    WorkerProcess(Contestant contestant, String size, long seed) throws IOException {
        this.contestant = contestant;
        log = Files.createTempFile("race-" + contestant + "-", ".log");
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        Workload.named(size, seed).nodes() >= LARGE ? "-Xmx8g" : "-Xmx2500m",
                        "-XX:+UseParallelGC",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Worker.class.getName(),
                        contestant.toString(),
                        size,
                        String.valueOf(seed))
                .redirectError(log.toFile())
                .start();
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /** Until it has filled its cluster and is warm. */
    void awaitReady() throws IOException {
        String first = line();
        if (!first.equals("ready")) {
            failed = true;
            throw new IOException(contestant + " does not get ready: " + first);
        }
    }

    /** Whether it has ended or has said that something is wrong. */
    boolean failed() {
        return failed;
    }

    void measure() throws IOException {
        in.println("block");
        blocks.add(Block.parse(line()));
    }

    void stand() throws IOException {
        in.println("summary");
        summary = RunSummary.parse(line());
    }

    /** The dominant share of each user now. */
    double[] shares() throws IOException {
        in.println("shares");
        String line = line();
        if (!line.startsWith(Worker.SHARES)) {
            throw new IOException(contestant + " says no shares: " + line);
        }
        return Arrays.stream(line.substring(Worker.SHARES.length()).split(" ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    private String line() throws IOException {
        String line = out.readLine();
        if (line == null || line.startsWith("wrong ")) {
            failed = true;
            throw new IOException(contestant + " fails: " + (line == null ? "its process ended, see " + log : line));
        }
        return line;
    }

    double microsPerContainer() {
        return blocks.stream()
                        .mapToLong(block -> block.nodeNanos() + block.masterNanos())
                        .sum()
                / 1e3
                / blocks.stream().mapToLong(Block::containers).sum();
    }

    /** Of the blocks' nanoseconds, in microseconds. */
    double medianMicros(ToLongFunction<Block> nanos) {
        long[] values = blocks.stream().mapToLong(nanos).sorted().toArray();
        return values[values.length / 2] / 1e3;
    }

    double processMicrosPerContainer() {
        return blocks.stream().mapToLong(Block::processNanos).sum()
                / 1e3
                / blocks.stream().mapToLong(Block::containers).sum();
    }

    @Override
    public void close() throws IOException {
        in.close();
        process.destroyForcibly();
        if (!failed) {
            Files.delete(log);
        }
    }
}
