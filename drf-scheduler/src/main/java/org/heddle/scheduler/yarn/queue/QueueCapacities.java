// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.util.Arrays;
import java.util.List;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.yarn.compat.ResourceVectors;

/**
 * What each queue is entitled to while all queues are busy: its {@code <capacity>}, or by its weight a part of what
 * those of its siblings leave. Where one of several siblings has a {@code <capacity>}, their weights in the engine are
 * these parts of the cluster. Under the scheduler's lock.
 */
final class QueueCapacities {
    private final ShareEngine engine;
    private final ResourceVectors vectors;

    QueueCapacities(ShareEngine engine, ResourceVectors vectors) {
        this.engine = engine;
        this.vectors = vectors;
    }

    /** @param cluster what the cluster has now, per resource */
    void refresh(HeddleQueue root, long[] cluster) {
        double[] whole = Arrays.stream(cluster).asDoubleStream().toArray();
        root.setCapacity(ofCluster(whole, cluster));
        divide(root, whole, cluster);
    }

    /** @param whole what the parent is entitled to, per resource in its units */
    private void divide(HeddleQueue parent, double[] whole, long[] cluster) {
        List<HeddleQueue> children =
                parent.children().stream().filter(child -> !child.isDraining()).toList();
        boolean anyHasAmounts =
                children.stream().anyMatch(child -> !fixed(child).isUnlimited());
        double[][] parts = new double[children.size()][whole.length];
        for (int j = 0; j < whole.length; j++) {
            divide(children, whole[j], j, parts);
        }
        for (int i = 0; i < parts.length; i++) {
            HeddleQueue child = children.get(i);
            child.setCapacity(ofCluster(parts[i], cluster));
            if (anyHasAmounts) {
                engine.setWeight(child.schedulable(), weights(child, cluster));
            }
            divide(child, parts[i], cluster);
        }
    }

    /** Of one resource: amounts first, reduced to the whole, then parts of what they leave, then weights. */
    private void divide(List<HeddleQueue> children, double whole, int resource, double[][] parts) {
        String name = vectors.names().get(resource);
        double amounts = 0;
        double weights = 0;
        for (HeddleQueue child : children) {
            amounts += fixed(child).absolute().getOrDefault(name, 0L);
            weights += hasWeight(child, name) ? child.spec().weights().of(name) : 0;
        }
        double scale = amounts > whole ? whole / amounts : 1;
        double left = whole - scale * amounts;
        double rest = left;
        for (int i = 0; i < parts.length; i++) {
            Amounts fixed = fixed(children.get(i));
            double part = Math.min(rest, left * fixed.fraction().getOrDefault(name, 0.0));
            rest -= part;
            parts[i][resource] = part + scale * fixed.absolute().getOrDefault(name, 0L);
        }
        for (int i = 0; i < parts.length && weights > 0; i++) {
            if (hasWeight(children.get(i), name)) {
                parts[i][resource] = rest * children.get(i).spec().weights().of(name) / weights;
            }
        }
    }

    private static boolean hasWeight(HeddleQueue queue, String resource) {
        Amounts fixed = fixed(queue);
        return !fixed.absolute().containsKey(resource) && !fixed.fraction().containsKey(resource);
    }

    private static Amounts fixed(HeddleQueue queue) {
        return queue.spec().get(QueueSettings.CAPACITY);
    }

    private static double[] ofCluster(double[] amounts, long[] cluster) {
        double[] parts = new double[cluster.length];
        Arrays.setAll(parts, j -> cluster[j] > 0 ? amounts[j] / cluster[j] : 0);
        return parts;
    }

    /** Percentages of the cluster; before there are nodes, the configured weights. */
    private double[] weights(HeddleQueue queue, long[] cluster) {
        double[] weights = vectors.weights(queue.spec().weights());
        for (int j = 0; j < weights.length; j++) {
            if (cluster[j] > 0) {
                weights[j] = 100 * queue.capacity(j);
            }
        }
        return weights;
    }
}
