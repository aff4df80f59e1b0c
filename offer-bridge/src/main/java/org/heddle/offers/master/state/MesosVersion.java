// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

/** The versions that the bridge reports to clients. */
public final class MesosVersion {
    /** The version of Mesos whose API the bridge implements. Clients enable features by it. */
    public static final String MESOS = "1.11.0";

    private MesosVersion() {}
}
