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
import java.util.function.LongSupplier;
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

/**
 * Adds up what each application holds, hour by hour, as YARN's {@code memorySeconds} do: a container counts with its whole
 * size from its allocation to its end. Once a minute the running containers are added up to that time, and the hour is
 * written. So a ResourceManager that is killed loses the last minute of the containers that ended in it; containers that
 * survive it lose nothing. A resized container counts with its new size from the last of these times on.
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
    private final LongSupplier clock;
    private final UsageWriter writer;
    private final long startMillis;
    /** Everything before this time was accounted when the ResourceManager started. */
    private final long recoveredFromMillis;

    private final Set<ContainerId> recovered = new HashSet<>();
    private HourMeter hour;
    /** The sums of this hour that were used last, of each application: found without making a text of its id. */
    private final Map<ApplicationId, HourMeter.Entry> lastUsed = new HashMap<>();

    private long accountedUntilMillis;
    private long writtenMillis;
    private volatile HourlyUsage shown;

    private UsageAccounting(
            UsageStore store,
            RMContext context,
            Supplier<? extends Collection<? extends SchedulerApplicationAttempt>> attempts,
            LongSupplier clock) {
        this.context = context;
        this.attempts = attempts;
        this.clock = clock;
        long nowMillis = clock.getAsLong();
        writer = new UsageWriter(store);
        startMillis = nowMillis;
        HourlyUsage last = writer.last(nowMillis);
        recoveredFromMillis = last == null ? nowMillis : Math.min(nowMillis, last.accountedUntilMillis());
        long begin = HourlyUsage.startOf(nowMillis);
        shown = last != null && last.startMillis() == begin ? last : new HourlyUsage(begin, nowMillis, List.of());
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
     * @param directory a path or URI, or a JDBC URL; empty: {@code heddle/usage} below {@code hadoop.tmp.dir} on the local disk
     * @param attempts the present attempt of each application
     * @param clock ms since 1970
     */
    public static UsageAccounting in(
            String directory,
            Configuration conf,
            RMContext context,
            Supplier<? extends Collection<? extends SchedulerApplicationAttempt>> attempts,
            LongSupplier clock) {
        return new UsageAccounting(store(directory, conf), context, attempts, clock);
    }

    private static UsageStore store(String place, Configuration conf) {
        if (place.startsWith("jdbc:")) {
            return UsageTables.of(place, conf);
        }
        String temporary = conf.get(SchedulerKeys.TEMPORARY, SchedulerKeys.TEMPORARY_DEFAULT);
        Path path = place.isEmpty()
                ? new Path(new Path("file:" + temporary), DEFAULT_DIRECTORY)
                : new Path(place.startsWith("/") ? "file:" + place : place);
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
        add(entry, container, Math.max(container.getCreationTime(), accountedUntilMillis), clock.getAsLong());
        entry.ended(status.getExitStatus() == ContainerExitStatus.PREEMPTED);
    }

    /** Adds what a container has used while no ResourceManager was there to account it. */
    public void recovered(SchedulerApplicationAttempt attempt, RMContainer container) {
        boolean isNew =
                accountedUntilMillis - startMillis < RECOVERY_MILLIS && recovered.add(container.getContainerId());
        if (isNew) {
            long from = Math.max(container.getCreationTime(), recoveredFromMillis);
            add(entry(attempt), container, from, accountedUntilMillis);
        }
    }

    /** Adds the running containers and writes the hour, once a minute and at the end of the hour. */
    public void tick() {
        long nowMillis = clock.getAsLong();
        if (nowMillis >= hour.endMillis() || nowMillis - writtenMillis >= EVERY_MILLIS) {
            finish();
        }
    }

    /** Adds the running containers up to now. */
    private void advance(long nowMillis) {
        Collection<? extends SchedulerApplicationAttempt> present = attempts.get();
        while (nowMillis >= hour.endMillis()) {
            long end = hour.endMillis();
            addRunning(present, end);
            writer.write(hour.copy(end));
            hour = new HourMeter(new HourlyUsage(end, end, List.of()));
            lastUsed.clear();
        }
        addRunning(present, nowMillis);
        if (nowMillis - startMillis >= RECOVERY_MILLIS) {
            recovered.clear();
        }
        shown = hour.copy(nowMillis);
    }

    private void addRunning(Collection<? extends SchedulerApplicationAttempt> present, long untilMillis) {
        for (SchedulerApplicationAttempt attempt : present) {
            Collection<RMContainer> containers = attempt.getLiveContainers();
            if (!containers.isEmpty()) {
                HourMeter.Entry entry = entry(attempt);
                for (RMContainer container : containers) {
                    add(entry, container, Math.max(container.getCreationTime(), accountedUntilMillis), untilMillis);
                }
            }
        }
        accountedUntilMillis = Math.max(accountedUntilMillis, untilMillis);
    }

    private static void add(HourMeter.Entry entry, RMContainer container, long fromMillis, long untilMillis) {
        for (ResourceInformation resource : container.getAllocatedResource().getResources()) {
            entry.add(resource.getName(), resource.getValue(), untilMillis - fromMillis);
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
        long nowMillis = clock.getAsLong();
        if (nowMillis - shown.accountedUntilMillis() >= REFRESH_MILLIS) {
            advance(nowMillis);
        }
    }

    /** The report of a query, up to the last time at which the running containers were added. Any thread; reads files. */
    public UsageReport report(UsageQuery query) throws IOException {
        return writer.report(query, shown);
    }

    /** Gives the hours of a time, in another thread; the result ends when all have been given, or one cannot be read. */
    public CompletableFuture<Void> past(long fromMillis, long toMillis, Consumer<HourlyUsage> each) {
        return writer.past(fromMillis, toMillis, each);
    }

    /** Adds the running containers up to now and writes the hour. */
    public void finish() {
        long nowMillis = clock.getAsLong();
        advance(nowMillis);
        writtenMillis = nowMillis;
        writer.write(shown);
    }

    /** Waits until everything is written. Not under the scheduler's lock. */
    public void stop() {
        writer.stop();
    }
}
