// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

/** An executor that was launched and has not ended. */
final class ExecutorTask {
    private static final String PREFIX = "executor-";

    final int number;
    final String agent;
    final String host;

    ExecutorTask(int number, String agent, String host) {
        this.number = number;
        this.agent = agent;
        this.host = host;
    }

    /** The id by which Spark knows it. */
    String id() {
        return Integer.toString(number);
    }

    /** The id by which the bridge knows it. */
    String taskId() {
        return PREFIX + number;
    }

    static String executorId(String taskId) {
        return taskId.startsWith(PREFIX) ? taskId.substring(PREFIX.length()) : taskId;
    }
}
