// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.cluster;

/**
 * Where YARN placed an application.
 *
 * @param queue full path, from root on; empty before YARN has accepted the application
 * @param user as whom it runs
 */
public record QueuePlacement(String queue, String user) {
    public static final QueuePlacement UNKNOWN = new QueuePlacement("", "");
}
