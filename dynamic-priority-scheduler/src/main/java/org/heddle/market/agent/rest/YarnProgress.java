// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.heddle.market.agent.JobProgress;
import org.heddle.market.agent.MarketView;
import org.heddle.market.agent.ProgressSource;
import org.heddle.settings.web.WebAddress;

/**
 * The progress of YARN applications. Tasks are counted in MapReduce's ApplicationMaster and in Spark's driver, through
 * the ResourceManager's proxy; for other applications, and where these do not answer, the work that is left follows
 * from the progress that YARN shows and from what was used so far. A MapReduce ApplicationMaster is taken to be as
 * large as the mean of its job's containers; the other numbers contain the masters' part.
 */
public final class YarnProgress implements ProgressSource {
    private static final Set<String> ENDED = Set.of("FINISHED", "FAILED", "KILLED");
    /**
     * Below this percentage, progress says nothing about the work that is left: MapReduce counts 5 % for the
     * preparation, and the first tasks show none for a while.
     */
    private static final double LEAST_PROGRESS = 10;

    /** Length of a task before one has ended or made progress: short, since too long a guess buys the whole cluster. */
    private static final double FIRST_GUESS_MILLIS = 20_000;
    /** Tasks of progress, all running ones together, from which their length can be estimated. */
    private static final double ENOUGH_PROGRESS = 0.2;

    /** Finds the applications; is asked until there is one. */
    @FunctionalInterface
    public interface Finder {
        List<String> find() throws IOException;
    }

    private final YarnRest yarn;
    private final Finder finder;
    private final String what;
    private final double guessedWork;
    private List<String> ids = List.of();

    /**
     * @param what the finder looks for, in a sentence, for example {@code the tag nightly in queue alice}
     * @param guessedWork slot-milliseconds, as long as no progress is seen; 0 if unknown
     */
    public YarnProgress(YarnRest yarn, Finder finder, String what, double guessedWork) {
        this.yarn = yarn;
        this.finder = finder;
        this.what = what;
        this.guessedWork = guessedWork;
    }

    @Override
    public JobProgress read(MarketView market) throws IOException {
        List<String> found = finder.find();
        if (!found.isEmpty()) {
            ids = found;
        }
        if (ids.isEmpty()) {
            throw new IOException("there is no application with " + what + " yet");
        }
        boolean ended = true;
        boolean known = false;
        double remaining = 0;
        double width = 0;
        double masters = 0;
        double task = 0;
        List<String> sources = new ArrayList<>();
        for (String id : ids) {
            JobProgress one = one(id, market);
            ended &= one.ended();
            known |= one.isKnown();
            remaining += one.isKnown() ? one.remaining() : 0;
            width += one.width();
            masters += one.masterSlots();
            task = Math.max(task, one.taskMillis());
            if (!one.ended()) {
                sources.add(one.source());
            }
        }
        return new JobProgress(ended, known ? remaining : Double.NaN, width, masters, task, String.join("; ", sources));
    }

    private JobProgress one(String id, MarketView market) throws IOException {
        JsonNode app = yarn.application(id);
        if (ENDED.contains(app.path("state").asText())) {
            return new JobProgress(true, 0, 0, 0, 0, id + " has ended");
        }
        String type = app.path("applicationType").asText();
        boolean runs = app.path("state").asText().equals("RUNNING");
        try {
            if (runs && type.equals("MAPREDUCE")) {
                return mapReduce(id, app, market);
            }
            if (runs && type.equals("SPARK")) {
                return spark(id, app, market);
            }
        } catch (IOException e) {
            return byProgress(id, app, market, "; its tasks cannot be counted: " + e.getMessage());
        }
        return byProgress(id, app, market, "");
    }

    private JobProgress byProgress(String id, JsonNode app, MarketView market, String why) throws IOException {
        double percent = app.path("progress").asDouble();
        double done = yarn.slots(
                        app.path("memorySeconds").asDouble(),
                        app.path("vcoreSeconds").asDouble(),
                        market.capacity())
                * 1_000;
        double width = Math.max(1, market.wanted());
        if (percent > LEAST_PROGRESS && done > 0) {
            return new JobProgress(
                    false,
                    done * (100 - percent) / percent,
                    width,
                    0,
                    0,
                    id + " is at " + Math.round(percent) + " %" + why);
        }
        if (guessedWork > 0) {
            return new JobProgress(
                    false, Math.max(0, guessedWork - done), width, 0, 0, "the work that was given" + why);
        }
        return JobProgress.waiting(width, id + " shows too little progress yet; give its work with --work" + why);
    }

    /**
     * Slots of one of the application's containers. Where the ResourceManager hides these from this user
     * (yarn.acl.enable), those of the account's containers.
     */
    private double containerSlots(JsonNode app, MarketView market) throws IOException {
        double containers = app.path("runningContainers").asDouble();
        if (containers <= 0) {
            return market.containerSlots();
        }
        double slots = yarn.slots(
                app.path("allocatedMB").asDouble(0) / containers,
                app.path("allocatedVCores").asDouble(0) / containers,
                market.capacity());
        return slots > 0 ? slots : market.containerSlots();
    }

    private JobProgress mapReduce(String id, JsonNode app, MarketView market) throws IOException {
        String master = "/proxy/" + WebAddress.segment(id) + "/ws/v1/mapreduce/jobs";
        List<JsonNode> jobs = YarnRest.list(yarn.get(master), "/jobs/job");
        if (jobs.isEmpty()) {
            return JobProgress.waiting(Math.max(1, market.wanted()), id + " has no job yet");
        }
        double slots = containerSlots(app, market);
        List<JsonNode> tasks = YarnRest.list(
                yarn.get(
                        master + "/" + WebAddress.segment(jobs.get(0).path("id").asText()) + "/tasks"),
                "/tasks/task");
        TaskCount maps = new TaskCount();
        TaskCount reduces = new TaskCount();
        for (JsonNode task : tasks) {
            (task.path("type").asText().equals("REDUCE") ? reduces : maps)
                    .add(
                            task.path("state").asText(),
                            task.path("elapsedTime").asDouble(),
                            task.path("progress").asDouble() / 100);
        }
        double guess = guessedWork > 0 ? guessedWork / slots / Math.max(1, tasks.size()) : FIRST_GUESS_MILLIS;
        double mapMillis = maps.mean(guess);
        double reduceMillis = reduces.mean(mapMillis);
        double width = maps.left() > 0 ? maps.left() : reduces.left();
        return new JobProgress(
                false,
                (maps.remaining(mapMillis) + reduces.remaining(reduceMillis)) * slots,
                Math.max(1, width) * slots,
                slots,
                Math.max(
                        reduces.left() > 0 ? reduceMillis : mapMillis,
                        Math.max(maps.longestLeft(), reduces.longestLeft())),
                maps.left() + " maps and " + reduces.left() + " reduces are left");
    }

    private JobProgress spark(String id, JsonNode app, MarketView market) throws IOException {
        String driver = "/proxy/" + WebAddress.segment(id) + "/api/v1/applications/" + WebAddress.segment(id);
        JsonNode executors = yarn.get(driver + "/executors");
        double cores = 0;
        for (JsonNode executor : executors) {
            cores += executor.path("totalCores").asDouble();
        }
        // The list contains the driver, so it is as long as there are containers with the ApplicationMaster's.
        double shown = app.path("runningContainers").asDouble();
        double containers = shown > 0 ? shown : executors.size();
        double slots = containerSlots(app, market) * containers / Math.max(1, cores);
        double doneMillis = 0;
        double done = 0;
        double left = 0;
        for (JsonNode stage : yarn.get(driver + "/stages")) {
            double complete = stage.path("numCompleteTasks").asDouble();
            done += complete;
            doneMillis += stage.path("executorRunTime").asDouble();
            String status = stage.path("status").asText();
            if (status.equals("ACTIVE") || status.equals("PENDING")) {
                left += Math.max(0, stage.path("numTasks").asDouble() - complete);
            }
        }
        if (done == 0 || left == 0) {
            return JobProgress.waiting(Math.max(1, market.wanted()), id + " has no stage that has made progress yet");
        }
        double mean = doneMillis / done;
        return new JobProgress(
                false, left * mean * slots, left * slots, 0, mean, Math.round(left) + " tasks of its stages are left");
    }

    /** Tasks of one kind. */
    private static final class TaskCount {
        private int ended;
        private int waiting;
        private double endedMillis;
        private double runningParts;
        private int running;
        private double runningMillis;
        private double longest;
        private double longestLeft;

        void add(String state, double elapsed, double progress) {
            switch (state) {
                case "SUCCEEDED" -> {
                    ended++;
                    endedMillis += elapsed;
                }
                case "RUNNING" -> {
                    running++;
                    runningMillis += elapsed;
                    runningParts += 1 - Math.min(1, progress);
                    longest = Math.max(longest, elapsed);
                    longestLeft = Math.max(longestLeft, left(elapsed, progress));
                }
                case "FAILED", "KILLED" -> {}
                default -> waiting++;
            }
        }

        /**
         * What is left of a task that has made some progress: as long as it needs at its speed so far, but not more
         * than has passed. That contains failed attempts, after which the progress begins anew.
         */
        private static double left(double elapsed, double progress) {
            return progress > 0.05 ? elapsed * Math.min(1, (1 - Math.min(1, progress)) / progress) : 0;
        }

        double longestLeft() {
            return longestLeft;
        }

        int left() {
            return waiting + running;
        }

        double mean(double guess) {
            if (ended > 0) {
                return endedMillis / ended;
            }
            double progress = running - runningParts;
            return progress >= ENOUGH_PROGRESS ? runningMillis / progress : Math.max(longest, guess);
        }

        double remaining(double mean) {
            return (waiting + runningParts) * mean;
        }
    }
}
