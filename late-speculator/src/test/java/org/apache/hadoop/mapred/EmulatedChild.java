// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;

/**
 * What a map's JVM says to its ApplicationMaster, without the JVM and without the work: it fetches its task, reports
 * progress at its node's pace, and is done. In Hadoop's package, because what it needs is visible only there.
 */
public final class EmulatedChild {
    private static final long REPORT_MILLIS = 1_000;
    private static final int KILLED = 137;

    private final InetSocketAddress master;
    private final TaskAttemptID attempt;
    private final JVMId jvm;

    /** @param command the end of the command line that would have started the JVM */
    public EmulatedChild(String[] command) {
        this.master = NetUtils.createSocketAddrForHost(command[0], Integer.parseInt(command[1]));
        this.attempt = TaskAttemptID.forName(command[2]);
        this.jvm = new JVMId(attempt.getJobID(), attempt.getTaskType() == TaskType.MAP, Long.parseLong(command[3]));
    }

    /**
     * Runs to the end, or until the ApplicationMaster no longer knows the attempt.
     *
     * @return exit code
     */
    public int run(Configuration conf, Credentials credentials, long millis) throws IOException, InterruptedException {
        Token<JobTokenIdentifier> token = TokenCache.getJobToken(credentials);
        Token<JobTokenIdentifier> own = new Token<>(token);
        SecurityUtil.setTokenService(own, master);
        UserGroupInformation task =
                UserGroupInformation.createRemoteUser(attempt.getJobID().toString());
        task.addToken(own);
        TaskUmbilicalProtocol umbilical = task.doAs((PrivilegedExceptionAction<TaskUmbilicalProtocol>)
                () -> RPC.getProxy(TaskUmbilicalProtocol.class, TaskUmbilicalProtocol.versionID, master, conf));
        try {
            return live(umbilical, millis);
        } finally {
            RPC.stopProxy(umbilical);
        }
    }

    private int live(TaskUmbilicalProtocol umbilical, long millis) throws IOException, InterruptedException {
        JvmContext context = new JvmContext(jvm, "-1000");
        JvmTask given = umbilical.getTask(context);
        while (given == null) {
            TimeUnit.MILLISECONDS.sleep(100);
            given = umbilical.getTask(context);
        }
        if (given.shouldDie()) {
            return 0;
        }
        long begin = System.nanoTime();
        long reportAt = REPORT_MILLIS;
        long passed = 0;
        while (passed < millis) {
            TimeUnit.MILLISECONDS.sleep(Math.max(1, Math.min(reportAt, millis) - passed));
            passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            reportAt = passed + REPORT_MILLIS;
            if (!umbilical
                    .statusUpdate(attempt, status((float) passed / millis))
                    .getTaskFound()) {
                return KILLED;
            }
        }
        umbilical.done(attempt);
        return 0;
    }

    private TaskStatus status(float progress) {
        return new MapTaskStatus(
                attempt,
                Math.min(1, progress),
                1,
                TaskStatus.State.RUNNING,
                "",
                "",
                "",
                TaskStatus.Phase.MAP,
                new Counters());
    }
}
