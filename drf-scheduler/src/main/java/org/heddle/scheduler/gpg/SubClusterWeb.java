// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.gpg;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.heddle.scheduler.federation.SubCluster;
import org.heddle.scheduler.federation.SubClusterAnswer;

/** Asks the ResourceManagers of sub-clusters, with the Kerberos ticket of the process where they want one. */
final class SubClusterWeb {
    private static final int PATIENCE_MILLIS = 20_000;
    /** Without applications, of which there may be thousands. */
    private static final String STATE = "/heddle/v1/scheduler?applications=0";

    private static final String SCHEDULER = "/ws/v1/cluster/scheduler";
    private static final Pattern TYPE = Pattern.compile("\"type\"\\s*:\\s*\"(\\w+)\"");

    private SubClusterWeb() {}

    private record Answer(int status, String body) {}

    /**
     * The state of a sub-cluster.
     *
     * @param web the ResourceManager's web address, such as http://rm1:8088
     * @throws IOException one sentence: it does not answer, or has another scheduler
     */
    static SubCluster read(String id, String web) throws IOException {
        Answer answer;
        String type;
        try {
            answer = get(web + STATE);
            if (answer.status == HttpURLConnection.HTTP_OK) {
                return SubClusterAnswer.parse(id, answer.body);
            }
            type = schedulerAt(web);
        } catch (IOException e) {
            throw new IOException("sub-cluster " + id + " gives no answer at " + web + ": " + e.getMessage(), e);
        }
        throw new IOException("sub-cluster " + id + " at " + web + " has another scheduler, " + type + " (" + STATE
                + " answers " + answer.status + ")");
    }

    private static String schedulerAt(String web) throws IOException {
        Matcher type = TYPE.matcher(get(web + SCHEDULER).body);
        return type.find() ? type.group(1) : "of an unknown kind";
    }

    private static Answer get(String address) throws IOException {
        try {
            return UserGroupInformation.getLoginUser().doAs((PrivilegedExceptionAction<Answer>) () -> send(address));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for an answer", e);
        }
    }

    private static Answer send(String address) throws IOException {
        URL url = URI.create(address).toURL();
        Answer answer = answer((HttpURLConnection) url.openConnection());
        if (answer.status != HttpURLConnection.HTTP_UNAUTHORIZED) {
            return answer;
        }
        try {
            return answer(new AuthenticatedURL(null, SubClusterWeb::withPatience)
                    .openConnection(url, new AuthenticatedURL.Token()));
        } catch (AuthenticationException e) {
            throw new IOException("it refuses this process: " + e.getMessage(), e);
        }
    }

    private static HttpURLConnection withPatience(HttpURLConnection connection) {
        connection.setConnectTimeout(PATIENCE_MILLIS);
        connection.setReadTimeout(PATIENCE_MILLIS);
        return connection;
    }

    private static Answer answer(HttpURLConnection connection) throws IOException {
        withPatience(connection).setRequestProperty("Accept", "application/json");
        int status = connection.getResponseCode();
        boolean ok = status == HttpURLConnection.HTTP_OK;
        try (InputStream in = ok ? connection.getInputStream() : connection.getErrorStream()) {
            return new Answer(status, in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
