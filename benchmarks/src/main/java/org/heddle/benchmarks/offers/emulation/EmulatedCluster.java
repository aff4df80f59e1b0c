// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers.emulation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.heddle.offers.BridgeSettingsReader;
import org.heddle.offers.master.Master;
import org.heddle.offers.master.state.MasterIdentity;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.store.Journal;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;

/** The bridge's master with its default settings and its log, and everything around it in three threads. */
final class EmulatedCluster implements AutoCloseable {
    private final EmulatedThread ofYarn = new EmulatedThread();
    private final EmulatedThread ofAgents = new EmulatedThread();
    private final EmulatedThread ofFrameworks = new EmulatedThread();
    private final Journal journal;
    private final StateExecutor changes;
    private final Master master;
    private final EmulatedAgents agents;
    private final List<EmulatedFramework> frameworks = new ArrayList<>();

    /** @param directory of the bridge's log; empty */
    EmulatedCluster(Scenario scenario, Path directory) throws IOException {
        Configuration conf = new Configuration(false);
        conf.set("heddle.bridge.agent.address", "127.0.0.1:0"); // nothing connects there
        EmulatedYarn yarn = new EmulatedYarn(new EmulatedNodes(scenario.nodes()), scenario.queues(), ofYarn);
        journal = Journal.open(directory);
        changes = new StateExecutor(Clocks.SYSTEM, journal, () -> {});
        master = new Master(
                changes,
                yarn,
                BridgeSettingsReader.read(conf).limits(),
                new MasterIdentity("bridge", "localhost", "127.0.0.1", 5050));
        agents = new EmulatedAgents(master.agents(), ofAgents);
        master.recover(journal, Clocks.SYSTEM.millis());
        changes.start();
        yarn.open(master, agents::start);
        for (int i = 0; i < scenario.frameworks(); i++) {
            frameworks.add(new BusyFramework(i, scenario.taskMillis(), master, ofFrameworks));
        }
        frameworks.forEach(EmulatedFramework::subscribe);
    }

    /** One more framework. */
    SingleTasks single() {
        SingleTasks single = new SingleTasks(master, ofFrameworks);
        frameworks.add(single);
        return single;
    }

    /** How many launches came after their offers had ended. */
    int lateLaunches() {
        return frameworks.stream().mapToInt(EmulatedFramework::late).sum();
    }

    /** The agents of all containers. */
    EmulatedAgents agents() {
        return agents;
    }

    /**
     * Checks that nothing has failed.
     *
     * @throws IllegalStateException says what is wrong
     */
    void checkFailures() {
        RuntimeException failure = failure();
        if (failure != null) {
            throw new IllegalStateException("the emulation failed: " + failure.getMessage(), failure);
        }
    }

    /**
     * Checks the master's state, and that nothing has failed. With many nodes the master does nothing else for a
     * second, and then handles what has come meanwhile.
     *
     * @throws IllegalStateException says what is wrong
     */
    void check() throws InterruptedException, ExecutionException, TimeoutException {
        checkFailures();
        master.look("", view -> {
                    view.assertConsistent();
                    return true;
                })
                .get(5, TimeUnit.MINUTES);
        if (changes.errors() > 0) {
            throw new IllegalStateException(changes.errors() + " changes of the bridge's state failed");
        }
    }

    /** The first failure of the emulation; null if there is none. */
    @Nullable
    RuntimeException failure() {
        for (EmulatedThread thread : new EmulatedThread[] {ofYarn, ofAgents, ofFrameworks}) {
            RuntimeException failure = thread.failure();
            if (failure != null) {
                return failure;
            }
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        changes.close();
        ofYarn.close();
        ofAgents.close();
        ofFrameworks.close();
        journal.close();
    }
}
