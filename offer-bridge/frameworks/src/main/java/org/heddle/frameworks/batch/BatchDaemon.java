// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.batch;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.InverseOffer;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.heddle.frameworks.gang.Gang;
import org.heddle.frameworks.gang.Gate;
import org.heddle.frameworks.offers.BridgePages;
import org.heddle.frameworks.offers.Size;
import org.heddle.frameworks.offers.Tasks;
import org.heddle.offers.client.Scheduler;
import org.heddle.offers.client.SchedulerDriver;
import org.jspecify.annotations.Nullable;

/**
 * The daemon of the queue: carries out what {@link JobQueue}, {@link Gang} and {@link Speculation} decide. The queue is
 * saved before a task is launched, so that a later daemon knows each task that may run.
 *
 * <p>All fields are guarded by this object's lock.
 */
final class BatchDaemon implements Scheduler {
    private static final long HOLD_MILLIS = 20_000;
    private static final double REFUSE_SECONDS = 5;

    private final Spool spool;
    private final Capacity capacity;
    private final LongSupplier clock;
    private final PrintStream log;
    private final JobQueue queue;
    private final Gate gate;
    private final Speculation speculation = new Speculation();
    private final Map<Part, Gang> gangs = new HashMap<>();
    private final Backups backups = new Backups(speculation);

    private @Nullable SchedulerDriver driver;
    private @Nullable String framework;
    /** Whether the bridge knows that no offers are wanted; null until it was told. */
    private @Nullable Boolean suppressed;

    private String problem = "";

    /**
     * @param wholeCluster whether the queue may use more than its guaranteed share
     * @param clock ms since 1970, because walltimes go on while no daemon runs; without steps, which would end all jobs
     */
    BatchDaemon(Spool spool, BridgePages pages, boolean wholeCluster, LongSupplier clock, PrintStream log)
            throws IOException {
        this.spool = spool;
        this.capacity = new Capacity(pages, wholeCluster);
        this.clock = clock;
        this.log = log;
        Spool.Saved saved = spool.load();
        this.framework = saved.framework();
        this.queue = new JobQueue(saved.jobs());
        this.gate = new Gate(pages.localAddress(), this::arrived);
    }

    @Nullable
    String frameworkId() {
        return framework;
    }

    String problem() {
        return problem;
    }

    private void say(String sentence) {
        log.println("heddle batch: " + sentence);
    }

    private void save() {
        try {
            spool.save(framework, capacity.limits(), queue.jobs());
        } catch (IOException e) {
            // Without its file the daemon must not go on: it would launch tasks that nobody knows later.
            throw new IllegalStateException("the queue cannot be saved: " + e.getMessage(), e);
        }
    }

    // ---- connection ----

    @Override
    public synchronized void registered(SchedulerDriver with, FrameworkID frameworkId, boolean again) {
        driver = with;
        suppressed = null;
        boolean known = frameworkId.getValue().equals(framework);
        framework = frameworkId.getValue();
        if (!again) {
            // Tasks that waited at the gate of an earlier daemon have ended with it.
            queue.parts(Part.State.STARTING)
                    .filter(part -> queue.specOf(part).tasksOfPart() > 1)
                    .toList()
                    .forEach(part -> requeue(part, "the daemon was restarted"));
            say((known ? "continues" : "is") + " framework " + framework);
        }
        save();
        List<String> tasks = new ArrayList<>();
        queue.jobs().forEach(job -> job.parts().forEach(part -> tasks.addAll(part.tasks.keySet())));
        Tasks.reconcile(with, tasks);
        capacity.expire();
    }

    @Override
    public synchronized void error(SchedulerDriver with, String message) {
        problem = message;
    }

    // ---- once in a while ----

    /** Takes what commands have left, ends what has run too long, and starts what has room. */
    synchronized void tick() throws IOException, InterruptedException {
        SchedulerDriver with = driver;
        String id = framework;
        if (with == null || id == null) {
            return;
        }
        long now = clock.getAsLong();
        boolean changed = takeMessages(now);
        for (Part part : queue.overdue(now)) {
            end(
                    part,
                    Part.State.FAILED,
                    "ran longer than its walltime of " + queue.specOf(part).walltimeSeconds() + " s");
            changed = true;
        }
        for (Map.Entry<Part, Gang> one : List.copyOf(gangs.entrySet())) {
            if (one.getValue().isLate(now)) {
                one.getValue().giveUp(now).forEach(task -> kill(one.getKey(), task));
                changed = true;
            }
        }
        Limits before = capacity.limits();
        List<Part> starts = queue.start(capacity.get(id, now), now);
        changed |= !Objects.equals(before, capacity.limits());
        starts.stream().filter(part -> queue.specOf(part).tasksOfPart() > 1).forEach(this::form);
        backups.find(queue, now);
        if (changed || !starts.isEmpty()) {
            save();
        }
        wantOffers(with, !starts.isEmpty());
    }

    private boolean takeMessages(long now) throws IOException {
        List<Spool.Message> messages = spool.messages();
        for (Spool.Message message : messages) {
            JobSpec spec = message.job();
            if (spec != null) {
                submit(message.id(), spec, now);
            } else {
                Job job = queue.job(message.id());
                if (job != null) {
                    job.parts().stream()
                            .filter(part -> !part.state.isOver())
                            .toList()
                            .forEach(part -> end(part, Part.State.DELETED, "deleted"));
                }
            }
        }
        if (!messages.isEmpty()) {
            save();
            for (Spool.Message message : messages) {
                Files.deleteIfExists(message.file());
            }
        }
        return !messages.isEmpty();
    }

    /** A job that cannot start says why: nodes may come. */
    private void submit(String id, JobSpec spec, long now) {
        Limits limits = capacity.limits();
        String problem = limits == null ? null : limits.problem(spec);
        if (queue.submit(id, spec, now) && problem != null) {
            queue.parts(Part.State.QUEUED).filter(part -> part.job.equals(id)).forEach(part -> part.note = problem);
        }
    }

    private void form(Part part) {
        gangs.put(part, new Gang(queue.specOf(part).tasksOfPart(), HOLD_MILLIS, RandomGenerator.getDefault()));
    }

    /** Offers come while a part has its place and lacks tasks; those of the first one's size. */
    private void wantOffers(SchedulerDriver with, boolean more) {
        Part first = queue.parts(Part.State.STARTING)
                .filter(this::lacksTasks)
                .findFirst()
                .orElse(backups.first());
        if (first == null) {
            if (!Boolean.TRUE.equals(suppressed)) {
                with.suppressOffers();
                suppressed = true;
            }
        } else if (!Boolean.FALSE.equals(suppressed) || more) {
            with.requestResources(queue.specOf(first).taskSize().resources());
            with.reviveOffers();
            suppressed = false;
        }
    }

    private boolean lacksTasks(Part part) {
        Gang gang = gangs.get(part);
        return gang == null ? part.tasks.isEmpty() : gang.missing() > 0;
    }

    // ---- offers ----

    @Override
    public synchronized void resourceOffers(SchedulerDriver with, List<Offer> offers) {
        long now = clock.getAsLong();
        for (Offer offer : offers) {
            List<TaskInfo> tasks = new ArrayList<>();
            Size room = Size.of(offer);
            for (Part part : queue.parts(Part.State.STARTING).toList()) {
                room = fill(part, offer, room, tasks, now);
            }
            for (Part late : backups.awayFrom(offer.getAgentId().getValue())) {
                Size size = queue.specOf(late).taskSize();
                if (size.fitsIn(room)) {
                    tasks.add(task(late, 0, offer, false));
                    room = room.minus(size);
                    backups.remove(late);
                }
            }
            if (tasks.isEmpty()) {
                with.declineOffers(List.of(offer.getId()), Tasks.refuse(REFUSE_SECONDS));
            } else {
                save();
                with.launchTasks(List.of(offer.getId()), tasks, Tasks.refuse(REFUSE_SECONDS));
            }
        }
        wantOffers(with, false);
    }

    /** Puts tasks of a part into an offer; returns what is left of it. */
    private Size fill(Part part, Offer offer, Size room, List<TaskInfo> tasks, long now) {
        Size size = queue.specOf(part).taskSize();
        Gang gang = gangs.get(part);
        int count;
        if (gang != null) {
            count = gang.wanted(size.timesIn(room), now);
        } else if (part.tasks.isEmpty() && size.fitsIn(room)) {
            count = 1;
        } else {
            count = 0;
        }
        for (int i = 0; i < count; i++) {
            int member = gang == null ? 0 : TaskScript.freeMember(part);
            TaskInfo task = task(part, member, offer, gang != null);
            tasks.add(task);
            if (gang != null) {
                gang.take(task.getTaskId().getValue(), offer.getHostname(), 1, now);
            }
        }
        return room.minus(size.times(count));
    }

    /** @param waits for the other members before it begins */
    private TaskInfo task(Part part, int member, Offer offer, boolean waits) {
        String id = TaskScript.launch(part, member, offer);
        return TaskScript.task(
                id, part, member, queue.specOf(part), offer, waits ? gate.script(id) : "", waits ? HOLD_MILLIS : 0);
    }

    private synchronized void arrived(String task) {
        Part part = queue.owner(task);
        Gang gang = part == null ? null : gangs.get(part);
        if (part == null || gang == null) {
            gate.dismiss(task);
            return;
        }
        gang.arrived(task);
        if (gang.isWhole()) {
            gangs.remove(part);
            queue.running(part, clock.getAsLong());
            save();
            try {
                for (Gang.Seat seat : gang.seats()) {
                    gate.open(seat.task(), "go");
                }
            } catch (IOException e) {
                say("job " + part.job + ": " + e.getMessage());
                requeue(part, String.valueOf(e.getMessage()));
            }
        }
    }

    // ---- ends ----

    private void kill(Part part, String task) {
        part.tasks.remove(task);
        gate.dismiss(task);
        speculation.ended(part.job, task, false, clock.getAsLong());
        SchedulerDriver with = driver;
        if (with != null) {
            with.killTask(Tasks.id(task));
        }
    }

    private void killAll(Part part) {
        gangs.remove(part);
        backups.remove(part);
        List.copyOf(part.tasks.keySet()).forEach(task -> kill(part, task));
    }

    private void end(Part part, Part.State state, String note) {
        killAll(part);
        queue.over(part, state, note, clock.getAsLong());
        Job job = queue.job(part.job);
        if (job != null && job.isOver()) {
            speculation.forget(part.job);
        }
    }

    private void requeue(Part part, String note) {
        killAll(part);
        queue.requeue(part, note);
        say("job " + part.job + (queue.specOf(part).array() ? "[" + part.index + "]" : "") + " is queued again: "
                + note);
    }

    @Override
    public synchronized void statusUpdate(SchedulerDriver with, TaskStatus status) {
        String task = status.getTaskId().getValue();
        Part part = queue.owner(task);
        if (part == null) {
            killUnknown(with, status);
            return;
        }
        long now = clock.getAsLong();
        if (!Tasks.isOver(status)) {
            if (status.getState() == TaskState.TASK_RUNNING) {
                runs(part, task, now);
            }
        } else {
            speculation.ended(part.job, task, status.getState() == TaskState.TASK_FINISHED, now);
            over(part, task, status, now);
        }
        save();
        wantOffers(with, false);
    }

    /** A task whose KILL was lost with the connection. */
    private static void killUnknown(SchedulerDriver with, TaskStatus status) {
        if (!Tasks.isOver(status)) {
            with.killTask(status.getTaskId());
        }
    }

    private void runs(Part part, String task, long now) {
        Job job = queue.job(part.job);
        if (job == null || job.spec().tasksOfPart() > 1) {
            return;
        }
        if (part.state == Part.State.STARTING) {
            queue.running(part, now);
        }
        if (job.spec().speculate()) {
            String agent = part.tasks.getOrDefault(task, "");
            // After a restart of the daemon, attempts are as old as their part.
            boolean first = part.tasks.size() == 1;
            speculation.started(job, part.index, task, agent, first ? part.startedAt : now);
        }
    }

    private void over(Part part, String task, TaskStatus status, long now) {
        boolean array = queue.specOf(part).array();
        Gang gang = gangs.get(part);
        if (gang != null) {
            // Nobody has begun to work: the others may wait for another member.
            part.tasks.remove(task);
            gang.lost(task);
            gate.dismiss(task);
            part.note = Tasks.describe(status);
        } else if (status.getState() == TaskState.TASK_FINISHED) {
            if (queue.finished(part, task, now) || array) {
                end(part, Part.State.DONE, "");
            }
        } else if (array && part.tasks.size() > 1) {
            part.tasks.remove(task); // Its other attempt runs on.
        } else if (Tasks.isLost(status)) {
            requeue(part, Tasks.describe(status));
        } else {
            end(part, Part.State.FAILED, TaskScript.failure(queue.specOf(part), status));
        }
    }

    @Override
    public synchronized void inverseOffers(SchedulerDriver with, List<InverseOffer> offers) {
        for (InverseOffer offer : offers) {
            Size amount = Size.of(offer.getResourcesList());
            queue.victims(amount, offer.getAgentId().getValue())
                    .forEach(part -> requeue(part, "the cluster wants its resources back"));
        }
        save();
    }
}
