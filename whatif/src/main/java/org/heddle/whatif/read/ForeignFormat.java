// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.read;

import com.fasterxml.jackson.databind.JsonNode;

/** Names the format of an object that is of no trace which is read, so that its owner knows what he holds. */
final class ForeignFormat {
    private ForeignFormat() {}

    static String of(JsonNode object) {
        if (object.has("workloads")) {
            return "it is a synthetic workload of SLS (SYNTH), of which SLS makes jobs; run it once with SLS and give the"
                    + " histories";
        }
        if (JsonTree.text(object, "Event", "").startsWith("SparkListener")) {
            return "it is an event log of Spark, which is not read";
        }
        if (object.has("entitytype") && object.has("events")) {
            return "it is a history of Tez, which is not read";
        }
        if (object.has("appInfo") && object.has("stageMap")) {
            return "it is a report of Sparklens, which is not read";
        }
        if (object.has("children") && object.has("name")) {
            return "it is the topology that Rumen writes beside its trace; give the trace";
        }
        return "an object in it has neither job.tasks nor mapTasks";
    }
}
