// SPDX-License-Identifier: Apache-2.0
package org.heddle.install;

import java.util.List;

/**
 * What can be installed: its jars, the folder of a Hadoop home whose class path loads them, and how it is switched on.
 */
enum Plugin {
    DRF(
            "share/hadoop/yarn/lib",
            List.of("drf-scheduler"),
            "every ResourceManager",
            "yarn-site.xml",
            "yarn.resourcemanager.scheduler.class",
            "org.heddle.drf.DrfScheduler"),
    MARKET(
            "share/hadoop/yarn/lib",
            List.of("drf-scheduler", "dynamic-priority-scheduler"),
            "every ResourceManager",
            "yarn-site.xml",
            "yarn.resourcemanager.scheduler.class",
            "org.heddle.market.DynamicPriorityScheduler"),
    /** Loaded by MapReduce's ApplicationMasters, which may run on any node: not a library of YARN's daemons. */
    LATE(
            "share/hadoop/mapreduce",
            List.of("late-speculator"),
            "every NodeManager",
            "mapred-site.xml",
            "yarn.app.mapreduce.am.job.speculator.class",
            "org.heddle.late.mr.LateSpeculator");

    private final String folder;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> artifacts;

    private final String hosts;
    private final String siteFile;
    private final String property;
    private final String className;

    Plugin(String folder, List<String> artifacts, String hosts, String siteFile, String property, String className) {
        this.folder = folder;
        this.artifacts = artifacts;
        this.hosts = hosts;
        this.siteFile = siteFile;
        this.property = property;
        this.className = className;
    }

    /** Below the Hadoop home, with slashes. */
    String folder() {
        return folder;
    }

    /** Without the prefix heddle- and the version. */
    List<String> artifacts() {
        return artifacts;
    }

    String hosts() {
        return hosts;
    }

    String siteFile() {
        return siteFile;
    }

    String property() {
        return property;
    }

    String className() {
        return className;
    }

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
