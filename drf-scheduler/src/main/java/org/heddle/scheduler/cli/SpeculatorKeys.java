// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import org.heddle.scheduler.config.site.Site;

/** The keys of {@code mapred-site.xml} that turn on the LATE speculator. */
final class SpeculatorKeys {
    static final String CLASS = "yarn.app.mapreduce.am.job.speculator.class";
    static final String LATE = "org.heddle.late.mr.LateSpeculator";
    /** The framework archive; if it is set, ApplicationMasters take their jars from it. */
    static final String ARCHIVE = "mapreduce.application.framework.path";

    private static final String PREFIX = "mapreduce.heddle.late.";
    private static final String HADOOP = "org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator";

    private SpeculatorKeys() {}

    static void check(Site site, boolean homeIsKnown, Findings findings) {
        KnownKeys.check(site, PREFIX, KnownKeys.ofSpeculator(), findings);
        String speculator = site.get(CLASS, HADOOP);
        String where = site.where(CLASS);
        if (speculator.equals(LATE)) {
            String archive = site.get(ARCHIVE, "");
            if (!archive.isEmpty()) {
                findings.notChecked(CLASS + " = " + LATE + ": whether the jar is in the framework archive " + archive
                        + "; without it no MapReduce job starts");
            } else if (!homeIsKnown) {
                findings.notChecked(CLASS + " = " + LATE + ": whether its jar is in the Hadoop homes of all nodes");
            }
            for (String key : new String[] {"mapreduce.map.speculative", "mapreduce.reduce.speculative"}) {
                if (!site.is(key, true)) {
                    findings.note(key + " = false (" + site.where(key) + "): LATE does not speculate on these tasks");
                }
            }
        } else if (speculator.startsWith("org.heddle.")) {
            findings.problem(
                    CLASS + " = " + speculator + " (" + where
                            + "): there is no such class, and no MapReduce job starts",
                    "set it to " + LATE);
        } else if (!where.isEmpty()) {
            findings.note(CLASS + " = " + speculator + " (" + where + "): none of Heddle's");
        }
    }
}
