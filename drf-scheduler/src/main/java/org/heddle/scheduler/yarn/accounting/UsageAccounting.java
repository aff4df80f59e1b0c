// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.accounting;

import java.io.IOException;
import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.heddle.scheduler.accounting.HourMeter;
import org.heddle.scheduler.accounting.HourlyUsage;
import org.heddle.scheduler.accounting.UsageQuery;
import org.heddle.scheduler.accounting.UsageReport;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.settings.Clocks;

/**
 * Adds up what each application holds, hour by hour, as YARN's {@code memorySeconds} do: a container counts with its
 * whole size from its allocation to its end. Once a minute the running containers are added up to that time, and the
 * hour is written. So a ResourceManager that is killed loses the last minute of the containers that ended in it;
 * containers that survive it lose nothing. A resized container counts with its new size from the last of these times
 * on.
 *
 * <p>All methods but {@link #report} and {@link #stop} are called under the scheduler's lock.
 */
public final class UsageAccounting {
    private static final long EVERY_MILLIS = 60_000;
    private static final long REFRESH_MILLIS = 1_000;
    /** Nodes register again within this time after a ResourceManager has started. */
    private static final long RECOVERY_MILLIS = 1_800_000;

    private static final String DEFAULT_DIRECTORY = "heddle/usage";

    private final RMContext context;
    private final Supplier<? extends Collection<? extends SchedulerApplicationAttempt>> attempts;
    private final Clocks clocks;
    private final UsageWriter writer;
    private final long startMillis;
    private final long startDate;
    /** Everything before this date was accounted when the ResourceManager started. */
    private final long recoveredFromDate;

    private final Set<ContainerId> recovered = new HashSet<>();
    private HourMeter hour;
    /** The sums of this hour that were used last, of each application: found without making a text of its id. */
    private final Map<ApplicationId, HourMeter.Entry> lastUsed = new HashMap<>();

    /**
     * The newest hour that there is. An hour that is not newer may have been written before, when the clock was ahead.
     */
    private long latestHour;

    /** The newest container of each application when the running ones were added last. */
    private Map<ApplicationId, Long> newest = new HashMap<>();

    private long accountedUntilMillis;
    private long accountedUntilDate;
    private long writtenMillis;
    private volatile HourlyUsage shown;

    private UsageAccounting(
            UsageStore store,
            RMContext context,
            Supplier<? extends Collection<? extends SchedulerApplicationAttempt>> attempts,
            Clocks clocks) {
        this.context = context;
        this.attempts = attempts;
        this.clocks = clocks;
        long date = clocks.date();
        long nowMillis = clocks.millis();
        writer = new UsageWriter(store);
        startMillis = nowMillis;
        HourlyUsage last = writer.last(date);
        recoveredFromDate = last == null ? date : Math.min(date, last.accountedUntilMillis());
        startDate = date;
        accountedUntilDate = date;
        long begin = HourlyUsage.startOf(date);
        shown = last != null && last.startMillis() == begin ? last : new HourlyUsage(begin, date, List.of());
        latestHour = writer.latest(begin);
        hour = new HourMeter(shown);
        accountedUntilMillis = nowMillis;
        writtenMillis = nowMillis;
        if (last == null) {
            writer.write(shown); // who takes over within the first minute must know from when on it has to count
        }
    }

    /**
     * The accounting with files in a directory or tables of a database; continues with what they say.
     *
     * @param directory a path or URI, or a JDBC URL; empty: {@code heddle/usage} below {@code hadoop.tmp.dir} on the
     *     local disk
     * @param attempts the present attempt of each application
     */
    public static UsageAccounting in(
            String directory,
            Configuration conf,
            RMContext context,
            Supplier<? extends Collection<? extends SchedulerApplicationAttempt>> attempts,
            Clocks clocks) {
        return new UsageAccounting(store(directory, conf), context, attempts, clocks);
    }

    private static UsageStore store(String place, Configuration conf) {
        if (place.startsWith("jdbc:")) {
            return UsageTables.of(place, conf);
        }
        String temporary = conf.get(SchedulerKeys.TEMPORARY, SchedulerKeys.TEMPORARY_DEFAULT);
        Path path;
        if (place.isEmpty()) {
            path = new Path(new Path("file:" + temporary), DEFAULT_DIRECTORY);
        } else {
            path = new Path(place.startsWith("/") ? "file:" + place : place);
        }
        return new UsageFiles(inFileSystem(path, conf), conf);
    }

    /** With the authority of the default file system, as Hadoop's commands complete {@code hdfs:///}. */
    private static Path inFileSystem(Path path, Configuration conf) {
        URI standard = FileSystem.getDefaultUri(conf);
        URI uri = path.toUri();
        boolean lacksAuthority = uri.getAuthority() == null
                && standard.getAuthority() != null
                && standard.getScheme().equals(uri.getScheme());
        return lacksAuthority ? new Path(standard.getScheme(), standard.getAuthority(), uri.getPath()) : path;
    }

    /** Adds a container that has ended. */
    public void ended(SchedulerApplicationAttempt attempt, RMContainer container, ContainerStatus status) {
        HourMeter.Entry entry = entry(attempt);
        add(entry, container, sinceLast(attempt, container, clocks.millis()));
        entry.ended(status.getExitStatus() == ContainerExitStatus.PREEMPTED);
    }

    /**
     * Adds what a container has used while no ResourceManager was there to account it. Only dates are left of that
     * time: a clock that was set meanwhile makes it longer or shorter.
     */
    public void recovered(SchedulerApplicationAttempt attempt, RMContainer container) {
        boolean isNew =
                accountedUntilMillis - startMillis < RECOVERY_MILLIS && recovered.add(container.getContainerId());
        if (isNew) {
            long from = Math.max(container.getCreationTime(), recoveredFromDate);
            add(entry(attempt), container, startDate - from + accountedUntilMillis - startMillis);
            newest.merge(attempt.getApplicationId(), container.getContainerId().getContainerId(), Math::max);
        }
    }

    /** Adds the running containers and writes the hour, once a minute and when the hour changes. */
    public void tick() {
        long hourNow = HourlyUsage.startOf(clocks.date());
        if (hourNow != hour.startMillis() || clocks.millis() - writtenMillis >= EVERY_MILLIS) {
            finish();
        }
    }

    /**
     * Adds the running containers up to now. How long they ran is measured; to which hour that belongs is the date's
     * matter.
     */
    private void advance() {
        long nowMillis = clocks.millis();
        long date = clocks.date();
        Collection<? extends SchedulerApplicationAttempt> present = attempts.get();
        if (date < hour.startMillis()) { // the clock was set back
            addRunning(present, nowMillis);
            begin(HourlyUsage.startOf(date), accountedUntilDate);
        }
        while (date >= hour.endMillis()) {
            long end = hour.endMillis();
            addRunning(present, Math.max(accountedUntilMillis, nowMillis - (date - end)));
            // the clock may have been set forward: hours in which nothing can have been used are left out
            begin(HourlyUsage.startOf(Math.max(end, date - (nowMillis - accountedUntilMillis))), end);
        }
        addRunning(present, nowMillis);
        accountedUntilDate = date;
        if (nowMillis - startMillis >= RECOVERY_MILLIS) {
            recovered.clear();
        }
        shown = hour.copy(date);
    }

    /** Ends the present hour, and begins another one with what was written of it before. */
    private void begin(long start, long until) {
        writer.write(hour.copy(until));
        HourlyUsage before = start <= latestHour ? writer.hour(start) : null;
        hour = new HourMeter(before == null ? new HourlyUsage(start, start, List.of()) : before);
        latestHour = Math.max(latestHour, start);
        lastUsed.clear();
    }

    private void addRunning(Collection<? extends SchedulerApplicationAttempt> present, long untilMillis) {
        Map<ApplicationId, Long> last = new HashMap<>();
        for (SchedulerApplicationAttempt attempt : present) {
            Collection<RMContainer> containers = attempt.getLiveContainers();
            if (!containers.isEmpty()) {
                HourMeter.Entry entry = entry(attempt);
                long newestId = 0;
                for (RMContainer container : containers) {
                    add(entry, container, sinceLast(attempt, container, untilMillis));
                    newestId = Math.max(newestId, container.getContainerId().getContainerId());
                }
                last.put(attempt.getApplicationId(), newestId);
            }
        }
        newest = last;
        accountedUntilMillis = Math.max(accountedUntilMillis, untilMillis);
    }

    /**
     * How long a container has run since the running ones were added last. Only for one that is new since then, its
     * date is compared with the present one.
     */
    private long sinceLast(SchedulerApplicationAttempt attempt, RMContainer container, long untilMillis) {
        long id = container.getContainerId().getContainerId();
        boolean isNew = id > newest.getOrDefault(attempt.getApplicationId(), 0L);
        long from = isNew ? clocks.millisAt(container.getCreationTime()) : accountedUntilMillis;
        return untilMillis - Math.max(from, accountedUntilMillis);
    }

    /** Adds nothing for a time below 0. */
    private static void add(HourMeter.Entry entry, RMContainer container, long millis) {
        for (ResourceInformation resource : container.getAllocatedResource().getResources()) {
            entry.add(resource.getName(), resource.getValue(), millis);
        }
    }

    private HourMeter.Entry entry(SchedulerApplicationAttempt attempt) {
        ApplicationId id = attempt.getApplicationId();
        String queue = attempt.getQueueName();
        HourMeter.Entry known = lastUsed.get(id);
        if (known == null || !known.isIn(queue)) {
            known = hour.of(queue, attempt.getUser(), id.toString(), () -> {
                RMApp app = context.getRMApps().get(id);
                return new String[] {app == null ? "" : app.getName(), app == null ? "" : app.getApplicationType()};
            });
            lastUsed.put(id, known);
        }
        return known;
    }

    /** Adds the running containers up to now for a report, but not more often than once a second. */
    public void refresh() {
        if (clocks.millis() - accountedUntilMillis >= REFRESH_MILLIS) {
            advance();
        }
    }

    /**
     * The report of a query, up to the last time at which the running containers were added. Any thread; reads files.
     */
    public UsageReport report(UsageQuery query) throws IOException {
        return writer.report(query, shown);
    }

    /**
     * Gives the hours of a time, in another thread; the result ends when all have been given, or one cannot be read.
     */
    public CompletableFuture<Void> past(long fromMillis, long toMillis, Consumer<HourlyUsage> each) {
        return writer.past(fromMillis, toMillis, each);
    }

    /** Adds the running containers up to now and writes the hour. */
    public void finish() {
        advance();
        writtenMillis = accountedUntilMillis;
        writer.write(shown);
    }

    /** Waits until everything is written. Not under the scheduler's lock. */
    public void stop() {
        writer.stop();
    }
}
