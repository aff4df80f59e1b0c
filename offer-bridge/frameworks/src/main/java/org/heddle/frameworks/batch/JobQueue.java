// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.batch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.heddle.frameworks.offers.Size;
import org.jspecify.annotations.Nullable;

/** The jobs in the order of their arrival, and what may happen to their parts. Knows no cluster and no clock. */
final class JobQueue {
    /** Finished jobs that are remembered. */
    private static final int MOST_FINISHED = 1000;

    private final Map<String, Job> jobs = new LinkedHashMap<>();

    JobQueue(List<Job> jobs) {
        jobs.forEach(job -> this.jobs.put(job.id(), job));
    }

    List<Job> jobs() {
        return new ArrayList<>(jobs.values());
    }

    /** False if the queue has had this id already. */
    boolean submit(String id, JobSpec spec, long now) {
        List<Job> over = jobs.values().stream().filter(Job::isOver).toList();
        over.stream().limit(Math.max(0, over.size() - MOST_FINISHED)).forEach(job -> jobs.remove(job.id()));
        return jobs.putIfAbsent(id, Job.of(id, spec, now)) == null;
    }

    @Nullable
    Job job(String id) {
        return jobs.get(id);
    }

    JobSpec specOf(Part part) {
        Job job = jobs.get(part.job);
        if (job == null) {
            throw new IllegalStateException("there is no job " + part.job);
        }
        return job.spec();
    }

    Stream<Part> parts(Part.State state) {
        return jobs.values().stream().flatMap(job -> job.parts().stream()).filter(part -> part.state == state);
    }

    /** The part whose task this is, or null. */
    @Nullable
    Part owner(String task) {
        return jobs.values().stream()
                .flatMap(job -> job.parts().stream())
                .filter(part -> part.tasks.containsKey(task))
                .findFirst()
                .orElse(null);
    }

    Size sizeOf(Part part) {
        JobSpec spec = specOf(part);
        return spec.taskSize().times(spec.tasksOfPart());
    }

    /** Gives parts their place where there is room. */
    List<Part> start(Size capacity, long now) {
        List<Backfill.Waiting> waiting = parts(Part.State.QUEUED)
                .map(part ->
                        new Backfill.Waiting(part, sizeOf(part), specOf(part).walltimeMillis()))
                .toList();
        List<Backfill.Running> running = jobs.values().stream()
                .flatMap(job -> job.parts().stream())
                .filter(part -> part.state.hasPlace())
                .map(part -> new Backfill.Running(sizeOf(part), endsAt(part, now)))
                .toList();
        List<Part> starts = Backfill.starts(waiting, running, capacity, now);
        starts.forEach(part -> {
            part.state = Part.State.STARTING;
            part.finished = 0;
        });
        return starts;
    }

    private long endsAt(Part part, long now) {
        long begin = part.state == Part.State.RUNNING ? part.startedAt : now;
        return begin + specOf(part).walltimeMillis();
    }

    void running(Part part, long now) {
        part.state = Part.State.RUNNING;
        part.startedAt = now;
    }

    /** A task has finished with 0; true if its part is done. */
    boolean finished(Part part, String task, long now) {
        part.tasks.remove(task);
        part.finished++;
        if (part.finished < specOf(part).tasksOfPart()) {
            return false;
        }
        over(part, Part.State.DONE, "", now);
        return true;
    }

    void over(Part part, Part.State state, String note, long now) {
        part.state = state;
        part.note = note;
        part.endedAt = now;
        part.tasks.clear();
    }

    /** Back to its old place in the queue. */
    void requeue(Part part, String note) {
        part.state = Part.State.QUEUED;
        part.note = note;
        part.tasks.clear();
    }

    /** Parts that have run for longer than they may. */
    List<Part> overdue(long now) {
        return parts(Part.State.RUNNING)
                .filter(part -> now >= endsAt(part, now))
                .toList();
    }

    /**
     * Which parts to give up for a preemption: those that began last, until their tasks there make up the amount.
     *
     * @param agent whose container is wanted; empty if any will do
     */
    List<Part> victims(Size amount, String agent) {
        List<Part> victims = new ArrayList<>();
        Size left = amount;
        List<Part> youngestFirst = parts(Part.State.RUNNING)
                .filter(part -> agent.isEmpty() || part.tasks.containsValue(agent))
                .sorted(Comparator.comparingLong((Part part) -> part.startedAt).reversed())
                .toList();
        for (Part part : youngestFirst) {
            if (left.cpus() <= 0 && left.memMb() <= 0) {
                break;
            }
            victims.add(part);
            long there = part.tasks.values().stream()
                    .filter(one -> agent.isEmpty() || one.equals(agent))
                    .count();
            left = left.minus(specOf(part).taskSize().times((int) there));
        }
        return victims;
    }
}
