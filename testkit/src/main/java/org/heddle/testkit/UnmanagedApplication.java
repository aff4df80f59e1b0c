// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.ClientRMProxy;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.hadoop.yarn.util.Records;

/** Submits applications whose ApplicationMaster is the caller: YARN calls them <em>unmanaged</em>. */
public final class UnmanagedApplication {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private UnmanagedApplication() {}

    /**
     * Submits an application.
     *
     * @param adjust last changes to the submission: priority, tags, node label, name
     */
    public static ApplicationId submit(
            YarnClient client, String name, String queue, Consumer<ApplicationSubmissionContext> adjust)
            throws IOException, YarnException {
        ApplicationSubmissionContext context = client.createApplication().getApplicationSubmissionContext();
        context.setApplicationName(name);
        context.setQueue(queue);
        context.setUnmanagedAM(true);
        context.setMaxAppAttempts(1);
        context.setResource(Resource.newInstance(1, 1));
        context.setAMContainerSpec(Records.newRecord(ContainerLaunchContext.class));
        adjust.accept(context);
        return client.submitApplication(context);
    }

    /**
     * Waits until the application is accepted; returns the token with which its master registers.
     *
     * @throws IllegalStateException if it was rejected; the message holds the diagnostics
     */
    public static Token<AMRMTokenIdentifier> awaitToken(YarnClient client, ApplicationId id) {
        Token<AMRMTokenIdentifier> token = Await.value("application " + id + " to be accepted", DEADLINE, () -> {
            ApplicationReport report = client.getApplicationReport(id);
            YarnApplicationState state = report.getYarnApplicationState();
            if (state == YarnApplicationState.FAILED || state == YarnApplicationState.KILLED) {
                return new Token<>();
            }
            return state == YarnApplicationState.ACCEPTED ? client.getAMRMToken(id) : null;
        });
        if (token.getIdentifier().length == 0) {
            throw new IllegalStateException("application " + id + " was not accepted: " + diagnostics(client, id));
        }
        token.setService(ClientRMProxy.getAMRMTokenService(client.getConfig()));
        return token;
    }

    private static String diagnostics(YarnClient client, ApplicationId id) {
        try {
            return client.getApplicationReport(id).getDiagnostics();
        } catch (YarnException | IOException e) {
            return e.toString();
        }
    }
}
