// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

/**
 * Predicted run time of one job as a function of its VM count: the pluggable F_j(n) of the paper
 * (section 4). Implementations are values; a caller may ask for any n from 1 up.
 *
 * <p>A job with n VMs may leave some of them idle. Therefore plans use {@code min over m <= n of seconds(m)}, which
 * never increases with n, even if this function does.
 */
public interface RuntimeModel {
    /** Seconds the job takes alone on {@code vms >= 1} VMs; positive and finite. */
    double seconds(int vms);

    /** A model of a job that takes so much longer at every n; {@code seconds >= 0}. */
    RuntimeModel plus(double seconds);

    /** A model of a job that takes so many times as long at every n; {@code factor > 0}. */
    RuntimeModel times(double factor);

    /** The formula with its numbers as text, e.g. {@code 900 n^-0.6}. */
    String formula();
}
