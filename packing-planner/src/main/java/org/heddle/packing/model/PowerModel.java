// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

import java.util.Locale;

/**
 * The paper's power regression F(n) = a n^b (section 4) with an optional constant part.
 *
 * @param a seconds on one VM without the constant part, &gt; 0
 * @param b exponent, &lt;= 0; below -1 the job scales better than linearly
 * @param offset seconds that no VM count shortens (start-up measured on the cluster), &gt;= 0
 */
public record PowerModel(double a, double b, double offset) implements RuntimeModel {
    public PowerModel(double a, double b) {
        this(a, b, 0);
    }

    @Override
    public double seconds(int vms) {
        return offset + a * Math.pow(vms, b);
    }

    @Override
    public PowerModel plus(double seconds) {
        return new PowerModel(a, b, offset + seconds);
    }

    @Override
    public PowerModel times(double factor) {
        return new PowerModel(a * factor, b, offset * factor);
    }

    @Override
    public String formula() {
        String power = String.format(Locale.ROOT, "%.6g n^%.4g", a, b);
        return offset == 0 ? power : String.format(Locale.ROOT, "%.6g + %s", offset, power);
    }
}
