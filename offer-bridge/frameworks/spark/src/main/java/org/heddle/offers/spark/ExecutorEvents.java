// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import java.util.List;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.InverseOffer;
import org.apache.spark.scheduler.ExecutorLossReason;

/** What the bridge's events mean to Spark. One thread calls these methods. */
interface ExecutorEvents {
    /** The framework is subscribed for the first time. */
    void subscribed(String frameworkId);

    CommandInfo command(ExecutorTask executor);

    void lost(ExecutorTask executor, ExecutorLossReason reason);

    void inverseOffers(List<InverseOffer> offers);

    /** No executor can start any more. */
    void failed(String message);
}
