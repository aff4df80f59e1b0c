// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.it;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.heddle.late.mr.LateSpeculator;
import org.heddle.late.mr.SplitSizes;

/** Judges a map only after two typical runs. By then the reduces have all slots. */
public final class PatientSpeculator extends LateSpeculator {
    /** The constructor which the ApplicationMaster calls. */
    public PatientSpeculator(Configuration conf, AppContext context) {
        super(conf, context, SplitSizes.staged(), draft -> draft.minAgeShare = 2);
    }
}
