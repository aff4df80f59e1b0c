// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines.flink;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * A Flink job that never ends by itself and needs as many slots as it is given parallelism.
 *
 * <pre>FlinkWork NAME</pre>
 */
public final class FlinkWork {
    private FlinkWork() {}

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.fromSequence(0, Long.MAX_VALUE)
                .map(number -> {
                    Thread.sleep(10); // a slow stream
                    return number * 2;
                })
                .returns(Long.class)
                .sinkTo(new DiscardingSink<>());
        env.execute(args[0]);
    }
}
