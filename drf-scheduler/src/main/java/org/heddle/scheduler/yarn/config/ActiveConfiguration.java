// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.config;

import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ConfigurationMutationACLPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ConfigurationMutationACLPolicyFactory;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.MutableConfigurationProvider;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.Problem;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.scheduler.config.SpecLocation;
import org.heddle.scheduler.config.edit.SpecDifferences;
import org.heddle.scheduler.config.fair.FairSiteReader;
import org.heddle.scheduler.config.read.SpecReader;
import org.heddle.scheduler.config.read.SpecSource;
import org.heddle.scheduler.config.site.SiteSettings;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.snapshot.ConfigurationChange;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The active configuration: read at start, then again when the file has changed or an administrator asks for it, and
 * changed in place where this is allowed. Each new specification is checked before it takes effect.
 */
public final class ActiveConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(ActiveConfiguration.class);

    /** Only so many are shown. */
    private static final int MOST_CHANGES = 20;

    private final SpecSource source;
    /** Names of the queue files of other formats that are not in force. */
    private final List<String> others;

    private final SpecSource.Objection door;
    private final SpecSource.Objection trial;
    private final ConfigurationReload look = new ConfigurationReload();
    /** In place of a file; null if there is none. */
    private final @Nullable ConfigurationStore store;

    private final @Nullable MutableConfigurationProvider changes;
    private final long reloadIntervalMillis;
    private final Clocks clocks;
    private final Deque<ConfigurationChange> history = new ConcurrentLinkedDeque<>();
    private long lastReloadMillis;

    /**
     * @param door makes a specification active, unless it refuses it
     *
     * @param trial tells whether a specification would be refused
     * @throws IOException one sentence that says what is wrong with the file
     */
    public ActiveConfiguration(
            Configuration conf,
            KnownNames names,
            RMContext context,
            SpecSource.Objection door,
            SpecSource.Objection trial,
            Clocks clocks)
            throws IOException {
        this.door = next -> {
            SchedulerSpec before = spec();
            String objection = door.against(next);
            if (objection == null && !next.equals(before)) {
                note(SpecDifferences.between(before, next));
            }
            return objection;
        };
        this.trial = trial;
        this.clocks = clocks;
        reloadIntervalMillis = SchedulerKeys.RELOAD_INTERVAL_MS.read(conf::get);
        SpecReader reader = new SpecReader(names, settings(conf));
        Function<String, @Nullable URL> places = new ConfigurationLocations(conf);
        // A file of CapacityScheduler's does not count where FairScheduler's keys are set.
        SpecLocation ofFile = SpecLocation.from(
                conf::get, places, place -> !FairSiteReader.isUsed(conf::get) && saysSomething(place, reader));
        store = isInStore(conf, ofFile) ? new ConfigurationStore(conf, context, this::tryOut) : null;
        SpecLocation location = ofFile;
        if (store != null) {
            URL stored = store.place();
            location = SpecLocation.from(
                    conf::get,
                    name -> name.equals(SpecLocation.CAPACITY_NAME) ? stored : places.apply(name),
                    place -> true);
        }
        source = open(location, reader, clocks.date());
        others = others(location);
        note(List.of());
        changes = store == null && SchedulerKeys.MUTABLE.read(conf::get) ? changesOfFile(conf, context) : store;
    }

    private static boolean isInStore(Configuration conf, SpecLocation ofFile) {
        return ConfigurationStore.isConfigured(conf)
                && conf.get(SchedulerKeys.CONFIGURATION_FILE.name()) == null
                && !FairSiteReader.isUsed(conf::get)
                && ofFile.isCapacitySchedulers();
    }

    private ConfigurationChanges changesOfFile(Configuration conf, RMContext context) {
        ConfigurationMutationACLPolicy policy = ConfigurationMutationACLPolicyFactory.getPolicy(conf);
        policy.init(conf, context);
        return new ConfigurationChanges(source, trial, policy, conf);
    }

    private void tryOut(String shown, byte[] content) throws IOException {
        try {
            source.tryOut(shown, content, trial);
        } catch (ConfigurationException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static SiteSettings settings(Configuration conf) {
        return new SiteSettings(
                conf::get,
                prefix -> conf.getPropsWithPrefix(prefix).keySet().stream()
                        .map(name -> prefix + name)
                        .collect(Collectors.toSet()),
                key -> conf.getFinalParameters().contains(key));
    }

    private static boolean saysSomething(URL place, SpecReader reader) {
        try {
            return !reader.saysNothing(
                    SpecLocation.shown(place), SpecLocation.read(place, SpecReader.LARGEST_FILE + 1));
        } catch (IOException e) {
            return true; // whoever reads it as a queue file says why that is not possible
        }
    }

    private static SpecSource open(SpecLocation location, SpecReader reader, long now) throws IOException {
        try {
            return SpecSource.open(location, reader, now);
        } catch (ConfigurationException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static List<String> others(SpecLocation location) throws IOException {
        List<String> names = new ArrayList<>();
        for (URL place : location.others()) {
            names.add(SpecLocation.shown(place));
        }
        return names;
    }

    /** As configured, before the scheduler adapts it. */
    public SchedulerSpec spec() {
        return source.spec();
    }

    /** Where it was read from, when, and with which warnings. */
    public SchedulerSnapshot.Configuration origin() {
        return source.configuration();
    }

    private void note(List<String> differences) {
        history.add(new ConfigurationChange(clocks.date(), differences));
        while (history.size() > MOST_CHANGES) {
            history.remove();
        }
    }

    /**
     * The configurations that came into force since this scheduler was made, oldest first, the first one among them.
     */
    public List<ConfigurationChange> history() {
        return List.copyOf(history);
    }

    /** Changes over the network; null if they are not allowed. */
    @Nullable
    public MutableConfigurationProvider changes() {
        return changes;
    }

    /** Reads the file now. */
    public void reload() throws IOException {
        try {
            source.reload(clocks.date(), door);
        } catch (ConfigurationException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /**
     * Checks whether the file has changed, if it is time to check; YARN tells what changes in a store. The caller must
     * not hold the scheduler's lock.
     */
    public void lookFromTimeToTime() {
        long now = clocks.millis();
        if (store == null && reloadIntervalMillis > 0 && now - lastReloadMillis >= reloadIntervalMillis) {
            lastReloadMillis = now;
            look.begin(source.isRemote(), this::reloadIfChanged);
        }
    }

    private void reloadIfChanged() {
        SpecSource.Look seen = source.check(clocks.date(), door);
        for (Problem problem : seen.newProblems()) {
            LOG.error("{}: {} (the last good configuration stays in force)", problem.file(), problem.sentence());
        }
        if (seen.changed()) {
            LOG.info("Configuration read again from {}", source.configuration().source());
            logWarnings();
        }
    }

    public void close() throws IOException {
        if (store != null) {
            store.close();
        }
    }

    /** Says which file is in force, which others are not, and what in it has no effect. */
    public void logOrigin() {
        LOG.info("The queues are configured by {}", source.configuration().source());
        for (String other : others) {
            if (!other.equals(source.configuration().source())) {
                LOG.warn(
                        "{} has no effect, because the queues are configured by {}",
                        other,
                        source.configuration().source());
            }
        }
        logWarnings();
    }

    private void logWarnings() {
        SchedulerSnapshot.Configuration configuration = source.configuration();
        for (String warning : configuration.warnings()) {
            LOG.warn("{}: {}", configuration.source(), warning);
        }
    }
}
