// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

import java.util.Locale;

/**
 * F(n) = fixed + work / n + tree log n + perVm n: the four-term form of Ernest (Venkataraman et al.,
 * NSDI 2016) at one input size. All terms &gt;= 0 and not all 0; seconds.
 */
public record ErnestModel(double fixed, double work, double tree, double perVm) implements RuntimeModel {
    @Override
    public double seconds(int vms) {
        return fixed + work / vms + tree * Math.log(vms) + perVm * vms;
    }

    @Override
    public ErnestModel plus(double seconds) {
        return new ErnestModel(fixed + seconds, work, tree, perVm);
    }

    @Override
    public ErnestModel times(double factor) {
        return new ErnestModel(fixed * factor, work * factor, tree * factor, perVm * factor);
    }

    @Override
    public String formula() {
        return String.format(Locale.ROOT, "%.6g + %.6g/n + %.6g ln n + %.6g n", fixed, work, tree, perVm);
    }
}
