// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.capacity;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.heddle.scheduler.config.capacity.CapacityQueue.Share;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.Weights;

/** Reads what each user of a leaf, and the ApplicationMasters of the leaf and of each user, may have. */
final class CapacityUsers {
    private static final String FACTOR = "user-limit-factor";
    private static final String LEAST = "minimum-user-limit-percent";
    private static final String MASTERS = "maximum-am-resource-percent";
    private static final String WEIGHTS = "user-settings.";
    private static final BigDecimal ONE = BigDecimal.ONE;

    private final CapacityProperties properties;
    private final Set<String> counted;

    /** @param counted the resources whose limits count */
    CapacityUsers(CapacityProperties properties, Set<String> counted) {
        this.properties = properties;
        this.counted = counted;
    }

    /** The specification of a leaf with these limits; it has the maximum of its applications. */
    QueueSpec read(CapacityQueue leaf, QueueSpec spec) {
        Share share = leaf.share(CapacityTree.NO_LABEL);
        BigDecimal factor = number(leaf, FACTOR, ONE);
        BigDecimal least = number(leaf, LEAST, CapacityAmount.HUNDRED)
                .movePointLeft(2)
                .min(ONE)
                .max(BigDecimal.ZERO);
        BigDecimal masters = number(leaf, MASTERS, new BigDecimal("0.1"));
        if (masters.signum() < 0) {
            properties.add(leaf.key(MASTERS), "must be a part from 0 to 1, such as 0.1");
            masters = BigDecimal.ZERO;
        }
        if (least.compareTo(ONE) < 0 && properties.get(leaf.key(LEAST)) != null) {
            properties.warn(
                    leaf.key(LEAST),
                    "limits applications and ApplicationMasters of a user, and no other containers: the users of a queue"
                            + " share it evenly, whatever their number");
        }
        boolean all = masters.compareTo(ONE) >= 0;
        QueueSpec read = spec.with(QueueSettings.MAX_RESOURCES_PER_USER, perUser(share, factor))
                .with(QueueSettings.MAX_AM_SHARE, all ? QueueSpec.UNLIMITED_AM_SHARE : masters.doubleValue())
                .with(QueueSettings.USER_WEIGHTS, weights(leaf));
        if (factor.signum() >= 0) {
            read = read.with(
                    QueueSettings.MAX_APPLICATIONS_PER_USER,
                    applications(spec.get(QueueSettings.MAX_APPLICATIONS), least.multiply(factor)));
        }
        BigDecimal times = factor.signum() < 0 ? ONE : factor;
        boolean divided = factor.signum() >= 0 && least.compareTo(ONE) < 0;
        if (share.capacity().part() == null || (!divided && reaches(share, times))) {
            return read; // the limit of the whole queue says it
        }
        BigDecimal ofUser = masters.multiply(times);
        read = read.with(QueueSettings.MAX_AM_SHARE_PER_USER, ofUser.doubleValue());
        if (divided) {
            double ofEach = ofUser.multiply(least).doubleValue();
            read = read.with(QueueSettings.MIN_AM_SHARE_PER_USER, ofEach);
        }
        return read;
    }

    private BigDecimal number(CapacityQueue leaf, String name, BigDecimal usual) {
        return properties.number(leaf.key(name), properties.number(CapacityProperties.PREFIX + name, usual));
    }

    private static int applications(int ofQueue, BigDecimal part) {
        if (ofQueue == Integer.MAX_VALUE) {
            return ofQueue;
        }
        BigDecimal most = BigDecimal.valueOf(ofQueue);
        return most.multiply(part).min(most).intValue();
    }

    /** The most of one user: a multiple of the queue's capacity; nothing to say where the queue's own limit is less. */
    private Amounts perUser(Share share, BigDecimal factor) {
        boolean none = factor.signum() < 0 || share.capacity().isNothing() || reaches(share, factor);
        return none ? Amounts.UNLIMITED : share.capacity().times(factor).amounts(counted);
    }

    private static boolean reaches(Share share, BigDecimal factor) {
        BigDecimal part = share.capacity().times(factor).part();
        BigDecimal ofQueue = share.limit().part();
        return part != null && ofQueue != null && part.compareTo(ofQueue) >= 0;
    }

    private Map<String, Weights> weights(CapacityQueue leaf) {
        Map<String, Weights> weights = new HashMap<>();
        String prefix = leaf.key(WEIGHTS);
        for (String key : properties.names(prefix)) {
            if (key.endsWith(".weight") && key.length() > prefix.length() + ".weight".length()) {
                String user = key.substring(prefix.length(), key.length() - ".weight".length());
                BigDecimal weight = properties.number(key, ONE);
                if (weight.signum() < 0) {
                    properties.add(key, "must not be less than 0");
                }
                weights.put(user, Weights.of(weight.doubleValue()));
            }
        }
        return weights;
    }
}
