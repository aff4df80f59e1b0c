// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.webfarm;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.InverseOffer;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.Resource;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.Protos.Value;
import org.heddle.frameworks.offers.Size;
import org.heddle.frameworks.offers.Tasks;
import org.heddle.offers.client.Scheduler;
import org.heddle.offers.client.SchedulerDriver;
import org.jspecify.annotations.Nullable;

/**
 * Keeps as many web servers behind haproxy as {@link Scaling} wants, at most some on each node. A server leaves in
 * three steps: haproxy gives it no new sessions, those that it has end, its task is killed. So no connection is
 * dropped.
 *
 * <p>All fields are guarded by this object's lock.
 */
final class WebFarm implements Scheduler {
    private static final long DRAIN_MILLIS = 30_000;
    private static final double REFUSE_SECONDS = 5;

    private final WebFarmCommand plan;
    private final Haproxy haproxy;
    private final Scaling scaling;
    private final LongSupplier clock;
    private final PrintStream log;
    private final Map<String, WebServer> servers = new LinkedHashMap<>();
    private @Nullable SchedulerDriver driver;
    private int wanted;
    private int launched;
    private boolean suppressed;
    private String problem = "";

    WebFarm(WebFarmCommand plan, Haproxy haproxy, LongSupplier clock, PrintStream log) {
        this.plan = plan;
        this.haproxy = haproxy;
        this.scaling = new Scaling(plan.least, plan.most, plan.sessions, plan.calm.toMillis());
        this.clock = clock;
        this.log = log;
        this.wanted = plan.least;
    }

    String problem() {
        return problem;
    }

    private void say(String sentence) {
        log.println("heddle webfarm: " + sentence);
    }

    private List<WebServer> active() {
        return servers.values().stream()
                .filter(server -> server.state != WebServer.State.DRAINING)
                .toList();
    }

    // ---- connection ----

    @Override
    public synchronized void registered(SchedulerDriver with, FrameworkID frameworkId, boolean again) {
        driver = with;
        with.requestResources(plan.size().resources());
        with.reviveOffers();
        suppressed = false;
        Tasks.reconcile(with, servers.keySet());
    }

    @Override
    public synchronized void error(SchedulerDriver with, String message) {
        problem = message;
    }

    // ---- once in a while ----

    /** Puts servers that answer behind haproxy, ends those that are drained, and follows the load. */
    synchronized void tick() throws IOException {
        SchedulerDriver with = driver;
        if (with == null) {
            return;
        }
        if (!haproxy.isAlive()) {
            throw new IOException("haproxy has ended");
        }
        long now = clock.getAsLong();
        Haproxy.Stats stats = haproxy.stats();
        for (WebServer server : List.copyOf(servers.values())) {
            if (server.state == WebServer.State.STARTING && server.answers()) {
                haproxy.ready(server.slot, server.address, server.port);
                server.state = WebServer.State.SERVING;
                say("serves with " + server.task + " at " + server.address + ":" + server.port);
            } else if (server.state == WebServer.State.DRAINING
                    && (stats.sessions().getOrDefault(server.slot, 0) == 0
                            || now - server.drainedSince >= DRAIN_MILLIS)) {
                remove(server);
                with.killTask(Tasks.id(server.task));
            }
        }
        int before = active().size();
        wanted = scaling.wanted(stats.load(), before, now);
        List<WebServer> active = active();
        for (int i = active.size() - 1; i >= wanted; i--) {
            drain(active.get(i), "the load needs " + wanted + " servers");
        }
        wantOffers(with);
    }

    private void wantOffers(SchedulerDriver with) {
        boolean more = active().size() < wanted && freeSlot().isPresent();
        if (more && suppressed) {
            with.reviveOffers();
        } else if (!more && !suppressed) {
            with.suppressOffers();
        }
        suppressed = !more;
    }

    private void drain(WebServer server, String why) throws IOException {
        if (server.state == WebServer.State.DRAINING) {
            return;
        }
        say("drains " + server.task + ": " + why);
        haproxy.drain(server.slot);
        server.state = WebServer.State.DRAINING;
        server.drainedSince = clock.getAsLong();
    }

    private void remove(WebServer server) throws IOException {
        servers.remove(server.task);
        haproxy.disable(server.slot);
    }

    /** The number of a place in haproxy that no server has. */
    private OptionalInt freeSlot() {
        for (int i = 1; i <= plan.slots(); i++) {
            String slot = "s" + i;
            if (servers.values().stream().noneMatch(server -> server.slot.equals(slot))) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    // ---- offers and tasks ----

    @Override
    public synchronized void resourceOffers(SchedulerDriver with, List<Offer> offers) {
        for (Offer offer : offers) {
            String agent = offer.getAgentId().getValue();
            long here = servers.values().stream()
                    .filter(server -> server.agent.equals(agent))
                    .count();
            OptionalInt slot = freeSlot();
            OptionalInt port = port(offer);
            boolean use = active().size() < wanted
                    && here < plan.perNode
                    && plan.size().fitsIn(Size.of(offer));
            if (!use || slot.isEmpty() || port.isEmpty()) {
                with.declineOffers(List.of(offer.getId()), Tasks.refuse(REFUSE_SECONDS));
                continue;
            }
            String task = "web" + launched++;
            String address = offer.getUrl().getAddress().getIp();
            WebServer server = new WebServer(
                    task,
                    "s" + slot.getAsInt(),
                    agent,
                    address.isEmpty() ? offer.getHostname() : address,
                    port.getAsInt());
            servers.put(task, server);
            with.launchTasks(
                    List.of(offer.getId()),
                    List.of(Tasks.bash(task, task, offer, plan.size(), server.script(plan.location), Map.of())
                            .addResources(portResource(server.port))
                            .build()),
                    Tasks.refuse(REFUSE_SECONDS));
        }
        wantOffers(with);
    }

    private static OptionalInt port(Offer offer) {
        return offer.getResourcesList().stream()
                .filter(resource -> resource.getName().equals("ports"))
                .flatMap(resource -> resource.getRanges().getRangeList().stream())
                .mapToInt(range -> (int) range.getBegin())
                .findFirst();
    }

    private static Resource portResource(int port) {
        return Resource.newBuilder()
                .setName("ports")
                .setType(Value.Type.RANGES)
                .setRanges(Value.Ranges.newBuilder()
                        .addRange(Value.Range.newBuilder().setBegin(port).setEnd(port)))
                .build();
    }

    @Override
    public synchronized void statusUpdate(SchedulerDriver with, TaskStatus status) {
        WebServer server = servers.get(status.getTaskId().getValue());
        if (!Tasks.isOver(status)) {
            if (server == null) {
                with.killTask(status.getTaskId()); // its KILL was lost with the connection
            }
            return;
        }
        if (server == null) {
            return;
        }
        say("has lost " + server.task + ": " + Tasks.describe(status));
        try {
            remove(server);
        } catch (IOException e) {
            say(String.valueOf(e.getMessage()));
        }
        wantOffers(with);
    }

    /** Drains the servers of the agents that the cluster wants back, or the newest server where it names no agent. */
    @Override
    public synchronized void inverseOffers(SchedulerDriver with, List<InverseOffer> offers) {
        List<WebServer> leaving = new ArrayList<>();
        for (InverseOffer offer : offers) {
            List<WebServer> candidates = active().stream()
                    .filter(server -> !leaving.contains(server))
                    .filter(server -> !offer.hasAgentId()
                            || server.agent.equals(offer.getAgentId().getValue()))
                    .toList();
            if (!candidates.isEmpty()) {
                leaving.add(candidates.get(candidates.size() - 1));
            }
        }
        for (WebServer server : leaving) {
            try {
                drain(server, "the cluster wants its node's resources back");
            } catch (IOException e) {
                say(String.valueOf(e.getMessage()));
            }
        }
    }
}
