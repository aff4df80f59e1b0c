// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.scale;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Turns;
import org.heddle.benchmarks.program.ChildProgram;
import org.heddle.benchmarks.program.PrintedTable;
import org.heddle.benchmarks.rm.Contestant;

/** {@link ScaleRun} and {@link FailoverRun} in processes of 8 GB, which are ended when they take too long. */
final class ScaleRuns {
    static final String LIMIT = "not done after, s";
    static final String FAILOVER = "failover of ";
    static final String BACK = "all nodes back after s";
    private static final String FAILED = "failed with exit code";
    private static final String HEAP = "8g";

    /** Seconds that a full cluster may take. */
    static final int MOST_SECONDS = 240;

    static final List<Contestant> CONTESTANTS =
            List.of(Contestant.FLOOR, Contestant.HEDDLE, Contestant.FAIR, Contestant.CAPACITY);

    /** How large it is; two of the resource types are memory and vcores. */
    record Cluster(int nodes, int queues, int applications, int types) {
        /** As the programs take them. */
        private List<String> sizes() {
            return Stream.of(nodes, queues, applications).map(String::valueOf).toList();
        }
    }

    private ScaleRuns() {}

    /**
     * What a full cluster costs.
     *
     * @param limit in seconds
     * @throws IOException if one of our own schedulers fails
     */
    static Row full(Run run, String name, Contestant contestant, Cluster cluster, int limit)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(name, contestant.toString()));
        arguments.addAll(cluster.sizes());
        arguments.add(String.valueOf(cluster.types()));
        arguments.add(String.valueOf(run.seeds().size()));
        arguments.add(String.valueOf(run.seeds().get(0)));
        arguments.add(String.valueOf(limit));
        Outcome outcome = new Outcome(name, contestant, limit);
        outcome.add(new ChildProgram(ScaleRun.class, HEAP, arguments).output(run));
        return outcome.row(run);
    }

    /**
     * The failovers of a cluster, a row for each contestant but the floor, which recovers nothing. Each repetition is a
     * process of its own: a standby that becomes active has compiled nothing.
     *
     * @param limit of each, in seconds
     * @throws IOException if one of our own schedulers fails
     */
    static List<Row> failovers(Run run, Cluster cluster, List<Contestant> contestants, int limit)
            throws IOException, InterruptedException {
        List<Contestant> recovering =
                contestants.stream().filter(one -> one != Contestant.FLOOR).toList();
        Map<Contestant, Outcome> outcomes = new EnumMap<>(Contestant.class);
        int repetitions = run.seeds().size();
        for (int i = 0; i < repetitions; i++) {
            for (Contestant contestant : Turns.of(recovering, i, repetitions)) {
                String name = String.format(
                        Locale.ROOT,
                        FAILOVER + "%,d nodes and %,d applications, %s",
                        cluster.nodes(),
                        cluster.applications(),
                        contestant);
                Outcome outcome = outcomes.computeIfAbsent(contestant, one -> new Outcome(name, contestant, limit));
                if (outcome.isGood()) {
                    List<String> arguments = new ArrayList<>(List.of(name, contestant.toString()));
                    arguments.addAll(cluster.sizes());
                    arguments.add(String.valueOf(limit));
                    outcome.add(new ChildProgram(FailoverRun.class, HEAP, arguments).output(run));
                }
            }
        }
        List<Row> rows = new ArrayList<>();
        for (Outcome outcome : outcomes.values()) {
            rows.add(outcome.row(run));
        }
        return rows;
    }

    /**
     * What the processes for one row have printed. After the first one that does not come to its end there are no more.
     */
    private static final class Outcome {
        private final String name;
        private final Contestant contestant;
        private final int limit;
        private final List<String> lines = new ArrayList<>();
        private int exitCode;

        /** @param limit of each process, in seconds */
        Outcome(String name, Contestant contestant, int limit) {
            this.name = name;
            this.contestant = contestant;
            this.limit = limit;
        }

        boolean isGood() {
            return exitCode == 0;
        }

        void add(ChildProgram.Output output) {
            lines.addAll(output.lines());
            exitCode = output.exitCode();
        }

        /** @throws IOException if one of our own schedulers has failed */
        Row row(Run run) throws IOException {
            if (isGood()) {
                return PrintedTable.rows(lines, 1).get(0);
            }
            if (exitCode == TimeLimit.EXIT_CODE) {
                return Row.of(name).with(LIMIT, limit);
            }
            String failure = name + " ended with exit code " + exitCode + ": see " + run.scratch();
            if (contestant.isOurs()) {
                throw new IOException(failure);
            }
            run.tell(failure);
            return Row.of(name).with(FAILED, exitCode);
        }
    }
}
