// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.gpg;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.security.UserGroupInformation;
import org.heddle.scheduler.federation.SubCluster;
import org.heddle.scheduler.federation.SubClusterAnswer;
import org.heddle.settings.web.Negotiation;
import org.heddle.settings.web.WebAddress;
import org.heddle.settings.web.WebClient;

/** Asks the ResourceManagers of sub-clusters, with the Kerberos ticket of the process where they want one. */
final class SubClusterWeb {
    /** Without applications, of which there may be thousands. */
    private static final String STATE = "/heddle/v1/scheduler?applications=0";

    private SubClusterWeb() {}

    /**
     * The state of a sub-cluster.
     *
     * @param web the ResourceManager's web address, such as http://rm1:8088
     * @throws IOException one sentence: it does not answer, or has another scheduler
     */
    static SubCluster read(String id, String web) throws IOException {
        WebClient client =
                new WebClient(List.of(WebAddress.of(web)), WebClient.PATIENCE, "").with(Negotiation.ofSubject());
        PrivilegedExceptionAction<String> ask = () -> client.text(STATE, "application/json");
        try {
            return SubClusterAnswer.parse(
                    id, UserGroupInformation.getLoginUser().doAs(ask));
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException("sub-cluster " + id + " at " + web + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for an answer", e);
        }
    }
}
