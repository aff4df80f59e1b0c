// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

/** Versions that the bridge tells clients. */
public final class MesosVersion {
    /** The Mesos whose API this is: clients switch features on by it. */
    public static final String MESOS = "1.11.0";

    private MesosVersion() {}
}
