// SPDX-License-Identifier: Apache-2.0
package org.heddle.mesosdriver;

import java.io.IOException;
import org.heddle.offers.client.protocol.TaskStatusFields;
import org.heddle.offers.client.protocol.WireReader;
import org.heddle.offers.client.protocol.WireWriter;

/**
 * Updates that the driver itself makes, for tasks which the master has not got. The numbers are those of mesos.proto.
 */
final class LocalStatus {
    private static final int TASK_LOST = 5;
    private static final int TASK_ERROR = 7;
    private static final int MASTER_DISCONNECTED = 7;
    private static final int TASK_UNAUTHORIZED = 15;
    private static final int TASK_INVALID = 14;
    private static final int FORBIDDEN = 403;

    private LocalStatus() {}

    /** @param task an encoded TaskInfo */
    static byte[] lost(byte[] task, double seconds) throws IOException {
        return status(task, TASK_LOST, MASTER_DISCONNECTED, "Master disconnected", seconds);
    }

    /** @param httpStatus with which the master refused the task */
    static byte[] refused(byte[] task, int httpStatus, String message, double seconds) throws IOException {
        return status(task, TASK_ERROR, httpStatus == FORBIDDEN ? TASK_UNAUTHORIZED : TASK_INVALID, message, seconds);
    }

    /** Names a task for reconciliation. */
    static byte[] unknown(byte[] task) throws IOException {
        return status(task, TASK_LOST, MASTER_DISCONNECTED, "", 0);
    }

    private static byte[] status(byte[] task, int state, int reason, String message, double seconds)
            throws IOException {
        WireReader reader = WireReader.of(task);
        // TaskInfo: name, task id, agent id.
        return new WireWriter()
                .bytes(TaskStatusFields.TASK_ID, reader.bytes(2))
                .number(TaskStatusFields.STATE, state)
                .text(TaskStatusFields.MESSAGE, message)
                .bytes(TaskStatusFields.AGENT_ID, reader.bytes(3))
                .decimal(TaskStatusFields.TIMESTAMP, seconds)
                .number(TaskStatusFields.SOURCE, 0)
                .number(TaskStatusFields.REASON, reason)
                .toBytes();
    }
}
