// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.schema;

import static org.heddle.scheduler.config.schema.ElementSchema.container;
import static org.heddle.scheduler.config.schema.ElementSchema.valued;

import java.util.Locale;
import org.heddle.scheduler.config.schema.ElementSchema.Valued;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.settings.ValueKind;

/** The element {@code <preemption>} of {@code heddle-scheduler.xml}. */
public final class PreemptionSchema {
    public static final ElementSchema PREEMPTION = container(
            "preemption",
            "the defaults below",
            "Whether and how containers of queues above their share are preempted for queues below their share.");
    public static final Valued<PreemptionSettings.Mode> PREEMPTION_MODE = valued(
            "mode",
            new ValueKind<>("off, dry-run or on", PreemptionSchema::mode),
            PreemptionSettings.DEFAULT.mode(),
            "off",
            "off: never. dry-run: the log, REST and the page report what would be preempted, and nothing is preempted. on:"
                    + " the ApplicationMaster is notified, and the container is killed at the end of the grace period.");
    public static final Valued<Long> GRACE_PERIOD = valued(
            "grace-period",
            ValueKind.DURATION_MILLIS,
            PreemptionSettings.DEFAULT.graceMillis(),
            "15s",
            "Time from the notice to the ApplicationMaster until the container is killed. Spark ignores the notice: for"
                    + " Spark a grace period only lets short tasks finish, so keep it short.");
    public static final Valued<Double> MAX_PREEMPTED_PER_SECOND = valued(
            "max-per-second",
            ValueKind.POSITIVE_FRACTION,
            PreemptionSettings.DEFAULT.maxPerSecond(),
            "1%",
            "Maximum part of the cluster that is preempted per second. One container may exceed it; the next one then"
                    + " waits for a second.");
    public static final Valued<Long> RESERVATION_TIMEOUT = valued(
            "reservation-timeout",
            QueueSettings.TIMEOUT,
            PreemptionSettings.DEFAULT.reservationStuckMillis(),
            "15s",
            "How long a node stays reserved for a request before containers on that node are preempted for it.");
    public static final Valued<Double> UTILIZATION_THRESHOLD = valued(
            "cluster-utilization-threshold",
            ValueKind.FRACTION,
            PreemptionSettings.DEFAULT.minUtilization(),
            "0",
            "Containers are preempted only if more than this part of the cluster is in use, of the resource type with the"
                    + " highest use.");
    public static final Valued<Boolean> PREEMPTED_MASTERS = valued(
            "application-masters",
            new ValueKind<>("last or never", PreemptionSchema::masters),
            PreemptionSettings.DEFAULT.masters(),
            "last",
            "last: the container of an ApplicationMaster is preempted only if preempting other containers is not enough, and"
                    + " after all others of its application, which ends with it. never: it is not preempted.");

    private PreemptionSchema() {}

    private static PreemptionSettings.Mode mode(String text) {
        return PreemptionSettings.Mode.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static boolean masters(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "last" -> true;
            case "never" -> false;
            default -> throw new IllegalArgumentException();
        };
    }
}
