// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client.protocol;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Calls of a scheduler. Arguments are encoded messages of Mesos, which are the same in its old and its v1 API. The
 * numbers are those of scheduler.proto of the v1 API.
 */
public final class SchedulerCalls {
    /** Field of FrameworkInfo. */
    private static final int INFO_ID = 3;

    private static final int FRAMEWORK_ID = 1;
    private static final int TYPE = 2;

    private SchedulerCalls() {}

    private static WireWriter call(byte[] frameworkId, int type) {
        WireWriter call = new WireWriter();
        if (frameworkId.length > 0) {
            call.bytes(FRAMEWORK_ID, frameworkId);
        }
        return call.number(TYPE, type);
    }

    /** @param frameworkId empty for a new framework */
    static byte[] subscribe(
            byte[] frameworkId, byte[] frameworkInfo, Collection<String> suppressedRoles, byte[] offerConstraints) {
        return call(frameworkId, 1)
                .bytes(3, update(frameworkId, frameworkInfo, suppressedRoles, offerConstraints))
                .toBytes();
    }

    public static byte[] updateFramework(
            byte[] frameworkId, byte[] frameworkInfo, Collection<String> suppressedRoles, byte[] offerConstraints) {
        return call(frameworkId, 17)
                .bytes(19, update(frameworkId, frameworkInfo, suppressedRoles, offerConstraints))
                .toBytes();
    }

    /**
     * The fields that SUBSCRIBE and UPDATE_FRAMEWORK have in common in the v1 API; the old one numbers those of
     * SUBSCRIBE otherwise.
     */
    private static byte[] update(
            byte[] frameworkId, byte[] frameworkInfo, Collection<String> suppressedRoles, byte[] offerConstraints) {
        WireWriter info = new WireWriter().raw(frameworkInfo);
        if (frameworkId.length > 0) {
            info.bytes(INFO_ID, frameworkId);
        }
        WireWriter update = new WireWriter().bytes(1, info.toBytes());
        suppressedRoles.forEach(role -> update.text(2, role));
        if (offerConstraints.length > 0) {
            update.bytes(3, offerConstraints);
        }
        return update.toBytes();
    }

    public static byte[] teardown(byte[] frameworkId) {
        return call(frameworkId, 2).toBytes();
    }

    public static byte[] accept(
            byte[] frameworkId, Iterable<byte[]> offerIds, Iterable<byte[]> operations, byte[] filters) {
        return call(frameworkId, 3)
                .bytes(
                        4,
                        new WireWriter()
                                .all(1, offerIds)
                                .all(2, operations)
                                .bytes(3, filters)
                                .toBytes())
                .toBytes();
    }

    /** An operation that launches tasks, for {@link #accept}. */
    public static byte[] launch(Iterable<byte[]> tasks) {
        return new WireWriter()
                .number(1, 1)
                .bytes(2, new WireWriter().all(1, tasks).toBytes())
                .toBytes();
    }

    /** An operation that launches a group, for {@link #accept}. */
    public static byte[] launchGroup(byte[] executorInfo, Iterable<byte[]> tasks) {
        byte[] group = new WireWriter().all(1, tasks).toBytes();
        return new WireWriter()
                .number(1, 6)
                .bytes(
                        7,
                        new WireWriter().bytes(1, executorInfo).bytes(2, group).toBytes())
                .toBytes();
    }

    /** The tasks that an operation launches, alone or as a group. */
    public static List<byte[]> launched(byte[] operation) throws IOException {
        WireReader reader = WireReader.of(operation);
        List<byte[]> tasks = new ArrayList<>(reader.message(2).all(1));
        tasks.addAll(reader.message(7).message(2).all(1));
        return tasks;
    }

    public static byte[] decline(byte[] frameworkId, Iterable<byte[]> offerIds, byte[] filters) {
        return call(frameworkId, 4)
                .bytes(5, new WireWriter().all(1, offerIds).bytes(2, filters).toBytes())
                .toBytes();
    }

    /** @param roles none for all */
    public static byte[] revive(byte[] frameworkId, Collection<String> roles) {
        return call(frameworkId, 5).bytes(15, texts(roles)).toBytes();
    }

    /** @param roles none for all */
    public static byte[] suppress(byte[] frameworkId, Collection<String> roles) {
        return call(frameworkId, 12).bytes(16, texts(roles)).toBytes();
    }

    private static byte[] texts(Collection<String> values) {
        WireWriter all = new WireWriter();
        values.forEach(value -> all.text(1, value));
        return all.toBytes();
    }

    public static byte[] kill(byte[] frameworkId, byte[] taskId) {
        return call(frameworkId, 6)
                .bytes(6, new WireWriter().bytes(1, taskId).toBytes())
                .toBytes();
    }

    /**
     * Acknowledges an update.
     *
     * @param status with a uuid, see {@link #needsAcknowledgement}
     */
    public static byte[] acknowledge(byte[] frameworkId, byte[] status) throws IOException {
        WireReader reader = WireReader.of(status);
        return call(frameworkId, 8)
                .bytes(
                        8,
                        new WireWriter()
                                .bytes(1, reader.bytes(TaskStatusFields.AGENT_ID))
                                .bytes(2, reader.bytes(TaskStatusFields.TASK_ID))
                                .bytes(3, reader.bytes(TaskStatusFields.UUID))
                                .toBytes())
                .toBytes();
    }

    /** Updates that the master makes itself need none. */
    public static boolean needsAcknowledgement(byte[] status) throws IOException {
        WireReader reader = WireReader.of(status);
        return reader.has(TaskStatusFields.UUID) && reader.has(TaskStatusFields.AGENT_ID);
    }

    /** @param statuses the tasks by task id and agent id; none for all tasks */
    public static byte[] reconcile(byte[] frameworkId, Iterable<byte[]> statuses) throws IOException {
        WireWriter reconcile = new WireWriter();
        for (byte[] status : statuses) {
            WireReader reader = WireReader.of(status);
            WireWriter task = new WireWriter().bytes(1, reader.bytes(TaskStatusFields.TASK_ID));
            if (reader.has(TaskStatusFields.AGENT_ID)) {
                task.bytes(2, reader.bytes(TaskStatusFields.AGENT_ID));
            }
            reconcile.bytes(1, task.toBytes());
        }
        return call(frameworkId, 9).bytes(9, reconcile.toBytes()).toBytes();
    }

    public static byte[] shutdown(byte[] frameworkId, byte[] executorId, byte[] agentId) {
        return call(frameworkId, 7)
                .bytes(
                        7,
                        new WireWriter().bytes(1, executorId).bytes(2, agentId).toBytes())
                .toBytes();
    }

    public static byte[] acceptInverse(byte[] frameworkId, Iterable<byte[]> offerIds) {
        return call(frameworkId, 13)
                .bytes(13, new WireWriter().all(1, offerIds).toBytes())
                .toBytes();
    }

    public static byte[] declineInverse(byte[] frameworkId, Iterable<byte[]> offerIds) {
        return call(frameworkId, 14)
                .bytes(14, new WireWriter().all(1, offerIds).toBytes())
                .toBytes();
    }

    public static byte[] message(byte[] frameworkId, byte[] executorId, byte[] agentId, byte[] data) {
        return call(frameworkId, 10)
                .bytes(
                        10,
                        new WireWriter()
                                .bytes(1, agentId)
                                .bytes(2, executorId)
                                .bytes(3, data)
                                .toBytes())
                .toBytes();
    }

    public static byte[] request(byte[] frameworkId, Iterable<byte[]> requests) {
        return call(frameworkId, 11)
                .bytes(11, new WireWriter().all(1, requests).toBytes())
                .toBytes();
    }
}
