// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

/**
 * Where one VM sits.
 *
 * @param machine 0 .. P-1
 * @param disk 0 .. k-1; an extra VM shares it with a primary
 */
public record Vm(int machine, int disk) {
    /** A number of VMs in words. */
    public static String count(int vms) {
        return vms == 1 ? "1 VM" : vms + " VMs";
    }
}
