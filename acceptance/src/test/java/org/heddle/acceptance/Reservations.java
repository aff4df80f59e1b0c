// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks YARN's reservation system by REST, as XML: its JSON has another form on each line of Hadoop. */
final class Reservations {
    private Reservations() {}

    /**
     * Reserves one container of 1 GB and a core for the next hour, as soon as the plan has seen nodes; returns its id.
     */
    static String make(Cluster cluster, String queue, String user) throws IOException {
        Matcher made = Pattern.compile("reservation_\\d+_\\d+").matcher(send(cluster, "new-reservation", user, ""));
        if (!made.find()) {
            throw new IOException("no id of a new reservation");
        }
        String id = made.group();
        long now = System.currentTimeMillis() / 1000 * 1000;
        String submission = """
                <reservation-submission-context>
                  <queue>%s</queue><reservation-id>%s</reservation-id>
                  <reservation-definition>
                    <arrival>%d</arrival><deadline>%d</deadline><reservation-name>night</reservation-name>
                    <reservation-requests><reservation-request-interpreter>0</reservation-request-interpreter>
                      <reservation-request>
                        <duration>3600000</duration><num-containers>1</num-containers>
                        <min-concurrency>1</min-concurrency>
                        <capability><memory>1024</memory><vCores>1</vCores></capability>
                      </reservation-request>
                    </reservation-requests>
                  </reservation-definition>
                </reservation-submission-context>
                """.formatted(queue, id, now, now + 3_600_000);
        cluster.await("the plan to have seen the nodes and to take the reservation", () -> {
            send(cluster, "submit", user, submission);
            return true;
        });
        return id;
    }

    static void delete(Cluster cluster, String id, String user) throws IOException {
        String context =
                "<reservation-delete-context><reservation-id>" + id + "</reservation-id></reservation-delete-context>";
        send(cluster, "delete", user, context);
    }

    private static String send(Cluster cluster, String what, String user, String xml) throws IOException {
        HttpResponse<String> answer = Rest.send(
                "POST",
                cluster.manager("/ws/v1/cluster/reservation/" + what + "?user.name=" + user),
                "application/xml",
                xml);
        if (answer.statusCode() / 100 != 2) {
            throw new IOException(what + ": " + answer.statusCode() + " " + answer.body());
        }
        return answer.body();
    }
}
