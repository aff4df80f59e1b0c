// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

/** The papers whose figures are measured again. */
public enum Paper {
    NEXUS("Hindman and others, Nexus (UCB/EECS-2009-158)"),
    MESOS("Hindman and others, Mesos (NSDI 2011)"),
    DRF("Ghodsi and others, Dominant Resource Fairness (NSDI 2011)"),
    H_DRF("Bhattacharya and others, Hierarchical Scheduling for Diverse Datacenter Workloads (SoCC 2013)"),
    DELAY("Zaharia and others, Delay Scheduling (EuroSys 2010)"),
    RDD("Zaharia and others, Resilient Distributed Datasets (NSDI 2012)"),
    MARKET("Sandholm and Lai, Dynamic Proportional Share Scheduling in Hadoop (2010)"),
    LATE("Zaharia and others, Improving MapReduce Performance in Heterogeneous Environments (OSDI 2008)"),
    PACKING("Aboulnaga and others, Packing the Most Onto Your Cloud (CloudDB 2009)"),
    NONE("no paper: a goal of this project");

    private final String title;

    Paper(String title) {
        this.title = title;
    }

    /** Authors, title and place. */
    public String title() {
        return title;
    }
}
