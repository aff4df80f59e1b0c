// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.fair;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.scheduler.config.FairKeys;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.schema.ResourceAmount;
import org.heddle.scheduler.config.xml.Problems;
import org.heddle.scheduler.model.AllocationMode;
import org.heddle.scheduler.model.LocalityDelay;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.model.SchedulingDelays;
import org.heddle.settings.ConfigKey;
import org.jspecify.annotations.Nullable;

/** Reads FairScheduler's keys in {@code yarn-site.xml}; a key without effect is a warning. */
public final class FairSiteReader {
    /** The whole cluster: FairScheduler preempts without a limit of speed. */
    private static final double UNLIMITED_PER_SECOND = 1;

    private static final Pattern INCREMENT = Pattern.compile("(\\d{1,15})\\s*([kKMGTP]?i?)");
    private static final Map<String, String> OLD_INCREMENTS = Map.of(
            "memory-mb", "yarn.scheduler.increment-allocation-mb",
            "vcores", "yarn.scheduler.increment-allocation-vcores");
    private static final Map<String, Long> DEFAULT_INCREMENTS = Map.of("memory-mb", 1024L, "vcores", 1L);

    private final Function<String, @Nullable String> configuration;
    private final Problems problems;

    /** @param configuration from a key to its value, null where it is not set */
    public FairSiteReader(Function<String, @Nullable String> configuration, Problems problems) {
        this.configuration = configuration;
        this.problems = problems;
    }

    /** Whether any key is set. */
    public static boolean isUsed(Function<String, @Nullable String> configuration) {
        return FairKeys.ALL.stream().anyMatch(key -> configuration.apply(key.name()) != null)
                || FairKeys.IDLE.stream().anyMatch(key -> configuration.apply(key.name()) != null);
    }

    <T> T get(ConfigKey<T> key) {
        try {
            return key.read(configuration);
        } catch (IllegalArgumentException e) {
            problems.add(0, "", "", String.valueOf(e.getMessage()));
            return key.kind().parse(key.fallback());
        }
    }

    /** As Hadoop reads booleans: a value that is neither true nor false counts as not set. */
    boolean is(ConfigKey<Boolean> key) {
        try {
            return key.read(configuration);
        } catch (IllegalArgumentException e) {
            problems.warn(0, "", "", e.getMessage() + ", which counts, as under FairScheduler");
            return key.kind().parse(key.fallback());
        }
    }

    void warnOfIdleKeys() {
        for (FairKeys.Idle key : FairKeys.IDLE) {
            if (configuration.apply(key.name()) != null) {
                problems.warn(0, key.name(), "", "has no effect here: " + key.why());
            }
        }
        if (is(FairKeys.CONTINUOUS)) {
            problems.warn(
                    0,
                    FairKeys.CONTINUOUS.name(),
                    "",
                    "starts no thread of its own here: a container is allocated as soon as it is requested; its two"
                            + " delays for locality count");
        }
    }

    /** Maximum number of containers of one heartbeat. */
    int maxAssign() {
        if (!is(FairKeys.ASSIGN_MULTIPLE)) {
            return 1;
        }
        int most = get(FairKeys.MAX_ASSIGN);
        return is(FairKeys.DYNAMIC_MAX_ASSIGN) || most <= 0 ? Integer.MAX_VALUE : most;
    }

    boolean dynamicMaxAssign() {
        return is(FairKeys.ASSIGN_MULTIPLE) && is(FairKeys.DYNAMIC_MAX_ASSIGN);
    }

    AllocationMode allocation() {
        if (is(FairKeys.CONTINUOUS)) {
            return AllocationMode.DEFAULT;
        }
        return new AllocationMode(AllocationMode.Moment.HEARTBEAT, AllocationMode.DEFAULT.nodeChoice());
    }

    SchedulingDelays schedulingDelays() {
        return new SchedulingDelays(locality(), SchedulingDelays.DEFAULT.reservation(), get(FairKeys.RESERVABLE_NODES));
    }

    private LocalityDelay locality() {
        if (get(FairKeys.LOCALITY_NODE) >= 0 && get(FairKeys.LOCALITY_RACK) >= 0) {
            return new LocalityDelay.Nodes(get(FairKeys.LOCALITY_NODE), get(FairKeys.LOCALITY_RACK));
        }
        if (is(FairKeys.CONTINUOUS) && (get(FairKeys.DELAY_NODE) >= 0 || get(FairKeys.DELAY_RACK) >= 0)) {
            return new LocalityDelay.Time(Math.max(0, get(FairKeys.DELAY_NODE)), Math.max(0, get(FairKeys.DELAY_RACK)));
        }
        return LocalityDelay.WhileRoom.DEFAULT;
    }

    PreemptionSettings preemption() {
        return new PreemptionSettings(
                is(FairKeys.PREEMPTION) ? PreemptionSettings.Mode.ON : PreemptionSettings.Mode.OFF,
                get(FairKeys.WAIT_BEFORE_KILL),
                UNLIMITED_PER_SECOND,
                QueuePreemptionSettings.NEVER, // FairScheduler lets a reservation wait
                get(FairKeys.UTILIZATION_THRESHOLD),
                is(FairKeys.AM_PREEMPTION));
    }

    /** Increments of container sizes, as FairScheduler rounds them. */
    Map<String, Long> increments(KnownNames names) {
        Map<String, Long> increments = new HashMap<>();
        names.resources().forEach((resource, unit) -> {
            String key = "yarn.resource-types." + resource + ".increment-allocation";
            String text = configuration.apply(key);
            String old = OLD_INCREMENTS.get(resource);
            if (text == null && old != null) {
                key = old;
                text = configuration.apply(old);
            }
            Long step = text == null ? DEFAULT_INCREMENTS.get(resource) : increment(key, text.strip(), unit);
            if (step != null && step > 0) {
                increments.put(resource, step);
            }
        });
        return increments;
    }

    private @Nullable Long increment(String key, String text, String unit) {
        Matcher step = INCREMENT.matcher(text);
        if (step.matches() && unit.endsWith("i") && step.group(2).matches("[a-zA-Z]")) {
            // FairScheduler converts from powers of 1000 here, which is no whole number of MiB.
            problems.add(0, key, text, "must have a unit with i, such as " + step.group(1) + step.group(2) + "i");
            return null;
        }
        if (step.matches()) {
            try {
                return ResourceAmount.parse(step.group(1) + step.group(2), unit).units();
            } catch (IllegalArgumentException e) {
                problems.add(0, key, text, String.valueOf(e.getMessage()));
                return null;
            }
        }
        problems.add(0, key, text, "must be a whole number, with a unit such as Gi where the resource has one");
        return null;
    }
}
