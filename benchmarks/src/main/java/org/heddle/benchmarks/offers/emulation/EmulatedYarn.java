// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers.emulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import org.heddle.offers.fixture.StubCluster;
import org.heddle.offers.master.cluster.AllocatedContainer;
import org.heddle.offers.master.cluster.ApplicationKey;
import org.heddle.offers.master.cluster.ApplicationRecord;
import org.heddle.offers.master.cluster.NoEvents;
import org.heddle.offers.master.cluster.QueuePlacement;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;

/**
 * YARN as the bridge sees it. It keeps an ask until it is granted or changed, and with each heartbeat of the
 * applications it allocates what there is room for, always to the application with the fewest containers. All that it
 * does is done in one thread.
 */
final class EmulatedYarn extends StubCluster {
    /** As of a bridge that asks for containers. */
    private static final long HEARTBEAT_MILLIS = 100;

    /** The bridge reads the nodes' usage as often. */
    private static final long NODES_MILLIS = 2_000;

    private static final class Application {
        private final ApplicationKey key;
        private ContainerAsk open = new ContainerAsk(Resources.NONE, 0);
        private Resources headroom = Resources.NONE;
        private int containers;

        private Application(ApplicationKey key) {
            this.key = key;
        }

        private int containers() {
            return containers;
        }
    }

    private final EmulatedNodes nodes;
    private final int queues;
    private final EmulatedThread thread;
    private final Map<ApplicationKey, Application> applications = new LinkedHashMap<>();
    private Events events = new NoEvents();
    private Consumer<AgentSpec> agents = agent -> {};

    /**
     * @param queues applications are placed in these in turn
     * @param thread which does all that this class does
     */
    EmulatedYarn(EmulatedNodes nodes, int queues, EmulatedThread thread) {
        this.nodes = nodes;
        this.queues = queues;
        this.thread = thread;
    }

    /**
     * Begins to report to the master.
     *
     * @param starter starts the agent of a container
     */
    void open(Events master, Consumer<AgentSpec> starter) {
        thread.now(() -> {
            events = master;
            agents = starter;
        });
        thread.every(NODES_MILLIS, () -> events.nodes(nodes.report()));
        thread.every(HEARTBEAT_MILLIS, this::heartbeats);
    }

    @Override
    public void start(AppSpec spec) {
        thread.now(() -> {
            int number = applications.size();
            applications.put(spec.key(), new Application(spec.key()));
            events.placed(spec.key(), new QueuePlacement("root.queue" + number % queues, spec.user()));
            events.started(
                    spec.key(),
                    new ApplicationRecord("application_1_" + number, new byte[0], Resources.NONE),
                    EmulatedNodes.NODE,
                    List.of());
        });
    }

    @Override
    public void ask(ApplicationKey key, ContainerAsk plan, Set<String> refusedHosts) {
        thread.now(() -> {
            application(key).open = plan;
        });
    }

    @Override
    public void release(ApplicationKey key, String containerId) {
        thread.now(() -> {
            if (nodes.release(containerId)) {
                application(key).containers--;
            }
        });
    }

    /** As with CapacityScheduler and DrfScheduler. */
    @Override
    public boolean resizesContainers() {
        return true;
    }

    @Override
    public void resize(ApplicationKey key, String containerId, Resources size) {
        thread.now(() -> events.notResized(key, containerId, "emulated containers keep their sizes"));
    }

    @Override
    public void startAgent(ApplicationKey key, AgentSpec agent) {
        thread.now(() -> agents.accept(agent));
    }

    private Application application(ApplicationKey key) {
        Application application = applications.get(key);
        if (application == null) {
            throw new IllegalStateException("there is no application " + key);
        }
        return application;
    }

    /** The heartbeats of all applications: what there is room for goes to those that ask. */
    private void heartbeats() {
        PriorityQueue<Application> asking = new PriorityQueue<>(Comparator.comparingInt(Application::containers));
        applications.values().stream()
                .filter(application -> application.open.count() > 0)
                .forEach(asking::add);
        Map<ApplicationKey, List<AllocatedContainer>> granted = new LinkedHashMap<>();
        while (!asking.isEmpty()) {
            Application next = asking.remove();
            AllocatedContainer container = nodes.allocate(next.open.size());
            if (container != null) {
                granted.computeIfAbsent(next.key, key -> new ArrayList<>()).add(container);
                next.containers++;
                next.open = new ContainerAsk(next.open.size(), next.open.count() - 1);
                if (next.open.count() > 0) {
                    asking.add(next);
                }
            }
        }
        applications.values().forEach(this::reportHeadroom);
        granted.forEach(events::granted);
    }

    /** Only places that an application can use count. The bridge hears of it if it has changed. */
    private void reportHeadroom(Application application) {
        Resources headroom = nodes.room(application.open.size());
        if (!headroom.equals(application.headroom)) {
            application.headroom = headroom;
            events.headroom(application.key, headroom);
        }
    }
}
