// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

/**
 * A job that must get a certain VM count: with fewer VMs it never ends, and it does not use more.
 *
 * @param model what the job does
 * @param vms the count
 */
public record PinnedModel(RuntimeModel model, int vms) implements RuntimeModel {
    /** Seconds that stand for "never"; large, but sums of it stay finite. */
    public static final double NEVER = 1e15;

    @Override
    public double seconds(int n) {
        return n < vms ? NEVER : model.seconds(vms);
    }

    @Override
    public PinnedModel plus(double seconds) {
        return new PinnedModel(model.plus(seconds), vms);
    }

    @Override
    public PinnedModel times(double factor) {
        return new PinnedModel(model.times(factor), vms);
    }

    @Override
    public String formula() {
        return model.formula() + " on exactly " + vms + " VMs";
    }
}
