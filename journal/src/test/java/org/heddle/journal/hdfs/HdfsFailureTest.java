// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.stream.Stream;
import javax.security.sasl.SaslException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.heddle.journal.UnavailableException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The sentences of failures. HdfsLogIT and ManagerPairIT get them from a real HDFS. */
class HdfsFailureTest {
    private static final String PLACE = "hdfs://nn/heddle";
    private static final String NO_TICKET = " asks for Kerberos, and this process has no ticket (";

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(
                        new IOException(
                                "DestHost:destPort nn:8020. Failed on local exception",
                                new IOException(new AccessControlException(
                                        "Client cannot authenticate via:[TOKEN, KERBEROS]"))),
                        PLACE + NO_TICKET
                                + "Client cannot authenticate via:[TOKEN, KERBEROS]); set its principal and keytab"),
                Arguments.of(
                        new RemoteException(
                                AccessControlException.class.getName(),
                                "SIMPLE authentication is not enabled.  Available:[TOKEN, KERBEROS]"),
                        PLACE + NO_TICKET
                                + "SIMPLE authentication is not enabled.  Available:[TOKEN, KERBEROS]); set its principal and keytab"),
                Arguments.of(
                        new IOException("on local exception", new SaslException("GSS initiate failed")),
                        PLACE + NO_TICKET + "GSS initiate failed); set its principal and keytab"),
                Arguments.of(
                        new RemoteException(
                                AccessControlException.class.getName(), "Permission denied: user=eve\n\tat Server"),
                        PLACE + " may not be used (Permission denied: user=eve); make it a directory of this user"),
                Arguments.of(
                        new ConnectException("refused"),
                        PLACE + " cannot be reached (refused); look whether its NameNode runs"));
    }

    static Stream<Arguments> whetherTheyPass() {
        return Stream.of(
                Arguments.of(new ConnectException("refused"), true),
                Arguments.of(new SocketTimeoutException("20000 millis"), true),
                Arguments.of(
                        new RemoteException(
                                "org.apache.hadoop.hdfs.server.namenode.SafeModeException",
                                "Cannot create file. Name node is in safe mode."),
                        true),
                Arguments.of(new RemoteException(StandbyException.class.getName(), "Operation category WRITE"), true),
                Arguments.of(new RemoteException(AccessControlException.class.getName(), "Permission denied"), false),
                Arguments.of(new SaslException("GSS initiate failed"), false),
                Arguments.of(new IOException("no more good datanodes"), false));
    }

    @ParameterizedTest
    @MethodSource
    void whetherTheyPass(Exception failure, boolean passes) {
        IOException sentence = HdfsFailure.sentence(PLACE, failure);
        assertThat(sentence instanceof UnavailableException).isEqualTo(passes);
        assertThat(HdfsFailure.sentence(PLACE, sentence) instanceof UnavailableException)
                .as("wrapped again")
                .isEqualTo(passes);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void isOneSentenceWithAWayOut(Exception failure, String sentence) {
        assertThat(HdfsFailure.sentence(PLACE, failure)).hasMessage(sentence);
    }
}
