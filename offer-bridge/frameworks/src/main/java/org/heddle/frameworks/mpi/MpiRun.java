// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.mpi;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.InverseOffer;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.heddle.frameworks.gang.Gang;
import org.heddle.frameworks.gang.Gang.Seat;
import org.heddle.frameworks.gang.Gate;
import org.heddle.frameworks.offers.BridgePages;
import org.heddle.frameworks.offers.Size;
import org.heddle.frameworks.offers.Tasks;
import org.heddle.offers.client.HttpSchedulerDriver;
import org.heddle.offers.client.Scheduler;
import org.heddle.offers.client.SchedulerDriver;
import org.jspecify.annotations.Nullable;

/**
 * One MPI program. Its tasks wait at a {@link Gate} until there are enough; then mpiexec starts, and each task becomes
 * the proxy of its node. When one of them is lost, all end.
 *
 * <p>All fields are guarded by this object's lock.
 */
final class MpiRun implements Scheduler {
    /** Exit code when the cluster took a node away: the same run may succeed later (EX_TEMPFAIL). */
    static final int LOST = 75;

    private static final int TICK_MILLIS = 200;
    /** How long to wait after an error of mpiexec for the bridge to say whether the cluster has taken a part away. */
    private static final int LOSS_MILLIS = 10_000;

    private static final double FAILOVER_SECONDS = 300;
    private static final double REFUSE_SECONDS = 5;

    private final MpiexecCommand plan;
    private final BridgePages pages;
    private final Gang gang;
    private final Gate gate;
    private final LongSupplier clock;
    private final PrintStream errors;
    private final CompletableFuture<Integer> code = new CompletableFuture<>();
    private final Set<String> live = new HashSet<>();
    private @Nullable SchedulerDriver driver;
    private @Nullable Hydra hydra;
    private int launched;
    private int restarts;
    /** Exit code of mpiexec that is not 0, and when it ended. */
    private int failure;

    private long failedAt;
    /** Whether the bridge was told that no offers are wanted, because the gang rests. */
    private boolean resting;

    MpiRun(MpiexecCommand plan, Gang gang, LongSupplier clock, PrintStream errors) throws IOException {
        this.plan = plan;
        this.pages = new BridgePages(plan.bridge);
        this.gang = gang;
        this.clock = clock;
        this.errors = errors;
        this.gate = new Gate(pages.localAddress(), this::arrived);
    }

    /** Runs the program; returns its exit code. */
    int run() throws InterruptedException {
        try (gate;
                SchedulerDriver used = new HttpSchedulerDriver(
                        this, plan.bridge.info("mpi " + plan.name(), FAILOVER_SECONDS, null), plan.bridge.bridges())) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(used)));
            used.start();
            while (true) {
                try {
                    return code.get(TICK_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    tick(used);
                } catch (java.util.concurrent.ExecutionException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    private synchronized void stop(SchedulerDriver used) {
        Hydra running = hydra;
        if (running != null) {
            running.end();
        }
        used.stop(false);
    }

    private void say(String sentence) {
        errors.println("heddle mpiexec: " + sentence);
    }

    private void end(int exit, String why) {
        if (!code.isDone()) {
            if (!why.isEmpty()) {
                say(why);
            }
            code.complete(exit);
        }
    }

    // ---- the gang forms ----

    @Override
    public synchronized void registered(SchedulerDriver with, FrameworkID frameworkId, boolean again) {
        driver = with;
        if (again) {
            Tasks.reconcile(with, live);
            if (hydra == null && !resting) {
                revive(with);
            }
            return;
        }
        try {
            if (plan.guaranteed) {
                BridgePages.Share share = pages.share(frameworkId.getValue());
                Size needed = plan.slot().times(plan.slots);
                if (!needed.fitsIn(share.guaranteed())) {
                    end(
                            2,
                            plan.slots + " slots need " + needed + ", and queue " + share.queue() + " is guaranteed "
                                    + share.guaranteed()
                                    + ": use a smaller -n, or run without --guaranteed and risk preemption");
                    return;
                }
            }
            ask(with);
        } catch (IOException e) {
            end(1, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks for containers with an equal part of the gang on each node, and for smaller ones after each attempt. */
    private void ask(SchedulerDriver with) throws IOException, InterruptedException {
        int nodes = Math.max(1, pages.nodes().count());
        int each = (plan.slots + nodes - 1) / nodes;
        with.requestResources(plan.slot()
                .times(Math.max(1, each >> Math.min(30, gang.attempts())))
                .resources());
    }

    @Override
    public synchronized void resourceOffers(SchedulerDriver with, List<Offer> offers) {
        for (Offer offer : offers) {
            int count;
            if (hydra != null || code.isDone()) {
                count = 0;
            } else {
                count = gang.wanted(plan.slot().timesIn(Size.of(offer)), clock.getAsLong());
            }
            if (count == 0) {
                with.declineOffers(List.of(offer.getId()), Tasks.refuse(REFUSE_SECONDS));
                continue;
            }
            String task = "proxy" + launched++;
            gang.take(task, offer.getHostname(), count, clock.getAsLong());
            live.add(task);
            with.launchTasks(
                    List.of(offer.getId()),
                    List.of(Tasks.bash(
                                    task,
                                    plan.name(),
                                    offer,
                                    plan.slot().times(count),
                                    gate.script(task) + "eval \"exec $line\"\n",
                                    Map.of())
                            .build()),
                    Tasks.refuse(0));
        }
        if (gang.missing() == 0) {
            with.suppressOffers();
        }
    }

    private synchronized void arrived(String task) {
        gang.arrived(task);
        SchedulerDriver with = driver;
        if (with == null || hydra != null || code.isDone() || !gang.isWhole()) {
            return;
        }
        with.suppressOffers();
        List<Seat> seats = gang.seats();
        try {
            Hydra started = new Hydra(plan.mpiexec(), gateAddress(), seats, plan.programWithOptions());
            hydra = started;
            for (int i = 0; i < seats.size(); i++) {
                gate.open(seats.get(i).task(), started.proxies().get(i));
            }
            started.watch(System.out, exit -> ended(started, exit));
        } catch (IOException e) {
            end(1, String.valueOf(e.getMessage()));
        }
    }

    private String gateAddress() throws IOException {
        return pages.localAddress().getHostAddress();
    }

    private synchronized void tick(SchedulerDriver with) {
        endFailed();
        if (resting && !gang.rests(clock.getAsLong())) {
            resting = false;
            revive(with);
        }
        if (hydra == null && gang.isLate(clock.getAsLong())) {
            int held = plan.slots - gang.missing();
            List<String> given = gang.giveUp(clock.getAsLong());
            say("gives back " + held + " of " + plan.slots + " slots, because the others did not come within "
                    + plan.hold.toSeconds() + " s; tries again");
            killAll(with, given);
            rest(with);
        }
    }

    /** A gang that asked while it rests would keep others from more than their equal shares. */
    private void rest(SchedulerDriver with) {
        with.suppressOffers();
        resting = true;
    }

    private void revive(SchedulerDriver with) {
        try {
            ask(with);
            with.reviveOffers();
        } catch (IOException e) {
            say(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void killAll(SchedulerDriver with, List<String> tasks) {
        for (String task : tasks) {
            gate.dismiss(task);
            with.killTask(Tasks.id(task));
        }
    }

    // ---- the program runs ----

    private synchronized void ended(Hydra of, int exit) {
        if (hydra != of) {
            return;
        }
        if (exit == 0) {
            end(0, "");
        } else {
            // When the cluster has ended a part, mpiexec ends before the bridge says so.
            failure = exit;
            failedAt = clock.getAsLong();
        }
    }

    /** Ends with the program's error when all parts have ended without a loss, or the bridge says nothing of them. */
    private void endFailed() {
        if (failure == 0) {
            return;
        }
        boolean told = gang.seats().stream().noneMatch(seat -> live.contains(seat.task()));
        if (told || clock.getAsLong() - failedAt >= LOSS_MILLIS) {
            end(failure, "");
        }
    }

    @Override
    public synchronized void statusUpdate(SchedulerDriver with, TaskStatus status) {
        String task = status.getTaskId().getValue();
        if (!Tasks.isOver(status)) {
            if (gang.seats().stream().noneMatch(seat -> seat.task().equals(task))) {
                with.killTask(status.getTaskId()); // its KILL was lost with the connection
            }
            return;
        }
        if (!live.remove(task)) {
            return;
        }
        Hydra running = hydra;
        boolean member = gang.seats().stream().anyMatch(seat -> seat.task().equals(task));
        if (running == null) {
            gang.lost(task);
            gate.dismiss(task);
            if (member) {
                if (!Tasks.isLost(status)) {
                    end(
                            1,
                            "a node could not start its part: " + Tasks.describe(status)
                                    + ". Nodes need bash, and must reach this machine");
                }
                with.reviveOffers();
            }
        } else if (member && status.getState() != TaskState.TASK_FINISHED) {
            memberLost(with, running, status);
        }
    }

    private void memberLost(SchedulerDriver with, Hydra running, TaskStatus status) {
        if (!Tasks.isLost(status)) {
            // A part of the program has ended with an error: mpiexec reports it, unless it is its own proxy that was
            // killed.
            running.killAfter(5);
            return;
        }
        hydra = null;
        failure = 0;
        running.kill();
        List<String> rest = new ArrayList<>(live);
        gang.giveUp(clock.getAsLong());
        killAll(with, rest);
        String why = "a part of the program was lost: " + Tasks.describe(status);
        if (restarts >= plan.restarts) {
            end(LOST, why);
            return;
        }
        restarts++;
        say(why + "; starts again from the beginning, " + restarts + " of " + plan.restarts);
        rest(with);
    }

    @Override
    public synchronized void inverseOffers(SchedulerDriver with, List<InverseOffer> offers) {
        say("the cluster will preempt " + offers.size()
                + " container(s); an MPI program cannot become smaller, so it ends" + " with the first of its own");
    }

    @Override
    public synchronized void error(SchedulerDriver with, String message) {
        end(1, message);
    }
}
