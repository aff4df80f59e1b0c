// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client.protocol;

/** The numbers of fields of TaskStatus in mesos.proto. */
public final class TaskStatusFields {
    public static final int TASK_ID = 1;
    public static final int STATE = 2;
    public static final int MESSAGE = 4;
    public static final int AGENT_ID = 5;
    public static final int TIMESTAMP = 6;
    public static final int EXECUTOR_ID = 7;
    public static final int SOURCE = 9;
    public static final int REASON = 10;
    public static final int UUID = 11;

    private TaskStatusFields() {}
}
