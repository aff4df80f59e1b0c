// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Names the format of a file that is not read where it was given, so that its owner knows what he holds. */
public final class ForeignFormat {
    private ForeignFormat() {}

    /** One part of a sentence about a file that begins with this text; null if it is of no known format. */
    static @Nullable String of(String beginning) {
        if (beginning.startsWith("Meta VERSION=")) {
            return "it is a history of Hadoop 1, which is not read; the Rumen of Hadoop 1 makes a trace of it for heddle"
                    + " whatif --trace";
        }
        if (beginning.startsWith("SEQ") && beginning.contains("HistoryEventProto")) {
            return "it is a history of Tez, which is not read";
        }
        return beginning.stripLeading().startsWith("{") ? of(fields(beginning)) : null;
    }

    /** The same of an object with these fields, in JSON. */
    public static @Nullable String of(Set<String> fields) {
        if (fields.contains("Event")) {
            return "it is an event log of Spark; heddle whatif --history and heddle pack fit read it";
        }
        if (fields.contains("entity") && fields.contains("entitytype")) {
            return "it is a history of Tez, which is not read";
        }
        if (fields.contains("appInfo") && fields.contains("stageMap")) {
            return "it is a report of Sparklens, which is not read; give the event log of which it was made";
        }
        if (fields.contains("workloads")) {
            return "it is a synthetic workload of SLS (SYNTH), for heddle whatif --trace";
        }
        if (fields.contains("job.tasks") || fields.contains("num.nodes")) {
            return "it is a trace of SLS, for heddle whatif --trace";
        }
        if (fields.contains("mapTasks") || fields.contains("reduceTasks")) {
            return "it is a trace of Rumen, for heddle whatif --trace";
        }
        if (fields.contains("children") && fields.contains("name")) {
            return "it is the topology that Rumen writes beside its trace; give the trace";
        }
        return null;
    }

    /** The fields of the first object, as far as the text goes. */
    private static Set<String> fields(String beginning) {
        Set<String> fields = new LinkedHashSet<>();
        try (JsonParser parser = new JsonFactory().createParser(beginning)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                fields.add(parser.currentName());
                parser.nextToken();
                parser.skipChildren();
            }
        } catch (IOException e) {
            return fields; // the text is cut, or no JSON from here on
        }
        return fields;
    }
}
