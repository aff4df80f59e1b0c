// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers.emulation;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.agent.LaunchSpec;
import org.heddle.offers.fixture.AgentFrames;
import org.heddle.offers.master.agents.AgentRegistry;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.state.AgentLink;

/**
 * Agents that register at once, start each task at once, and end it after the time in its command, {@code sleep
 * SECONDS}.
 */
final class EmulatedAgents {
    private static final String SLEEP = "sleep ";

    private final AgentRegistry registry;
    private final EmulatedThread thread;
    private final AtomicLong launched = new AtomicLong();
    private final AtomicInteger running = new AtomicInteger();

    /** @param thread in which all agents work */
    EmulatedAgents(AgentRegistry registry, EmulatedThread thread) {
        this.registry = registry;
        this.thread = thread;
    }

    /** The command of a task of that length. */
    static String command(long millis) {
        return SLEEP + millis / 1000.0;
    }

    private static long millis(LaunchSpec task) {
        List<String> words = task.command();
        return Math.round(1000 * Double.parseDouble(words.get(words.size() - 1).substring(SLEEP.length())));
    }

    private static LaunchSpec task(byte[] launch) {
        try (DataInputStream in = AgentFrames.fields(launch)) {
            return LaunchSpec.read(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How many tasks have been launched. From any thread. */
    long launched() {
        return launched.get();
    }

    /** How many tasks run now. From any thread. */
    int running() {
        return running.get();
    }

    /** Starts the agent of a container. */
    void start(Cluster.AgentSpec spec) {
        thread.now(() -> registry.hello(AgentFrames.hello(spec), new Agent()));
    }

    private final class Agent implements AgentLink {
        private long seq;

        @Override
        public void send(byte[] frame) {
            thread.now(() -> receive(frame));
        }

        private void receive(byte[] frame) {
            byte kind = AgentFrames.kind(frame);
            if (kind == AgentProtocol.LAUNCH) {
                launch(task(frame));
            } else if (kind == AgentProtocol.QUIT) {
                registry.gone(this);
            }
        }

        private void launch(LaunchSpec task) {
            launched.incrementAndGet();
            running.incrementAndGet();
            report(AgentProtocol.STARTED, task.key(), out -> out.writeLong(1));
            String key = task.key(); // not all of the task is kept until its end
            thread.later(millis(task), () -> end(key));
        }

        private void end(String key) {
            running.decrementAndGet();
            report(AgentProtocol.EXITED, key, out -> {
                out.writeInt(0);
                out.writeBoolean(false);
                out.writeBoolean(false);
                FrameCodec.writeText(out, "");
                FrameCodec.writeText(out, "");
            });
        }

        private void report(byte what, String key, FrameCodec.Fields fields) {
            registry.frame(this, AgentFrames.event(++seq, what, key, fields));
        }

        @Override
        public void close() {}
    }
}
