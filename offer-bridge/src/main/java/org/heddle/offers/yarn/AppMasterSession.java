// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.client.ClientRMProxy;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;

/**
 * The connection of one application attempt to the ResourceManager, with the attempt's token. The protocol allows one
 * call at a time; {@link #close} may come from any thread.
 */
final class AppMasterSession implements AutoCloseable {
    private final Configuration conf;
    private final UserGroupInformation user;
    private final ApplicationMasterProtocol protocol;

    private AppMasterSession(Configuration conf, UserGroupInformation user) throws YarnException, IOException {
        this.conf = conf;
        this.user = user;
        this.protocol = as(() -> ClientRMProxy.createRMProxy(conf, ApplicationMasterProtocol.class));
    }

    static AppMasterSession open(Configuration conf, ApplicationAttemptId attempt, Token<AMRMTokenIdentifier> token)
            throws YarnException, IOException {
        token.setService(ClientRMProxy.getAMRMTokenService(conf));
        UserGroupInformation user = UserGroupInformation.createRemoteUser(attempt.toString());
        user.addToken(token);
        return new AppMasterSession(conf, user);
    }

    RegisterApplicationMasterResponse register(String trackingUrl) throws YarnException, IOException {
        return as(() ->
                protocol.registerApplicationMaster(RegisterApplicationMasterRequest.newInstance("", 0, trackingUrl)));
    }

    AllocateResponse allocate(AllocateRequest request) throws YarnException, IOException {
        return as(() -> protocol.allocate(request));
    }

    /** Ends the application; returns false if the ResourceManager has not stored that yet and must be asked again. */
    boolean unregister(FinalApplicationStatus status, String diagnostics) throws YarnException, IOException {
        FinishApplicationMasterRequest request = FinishApplicationMasterRequest.newInstance(status, diagnostics, "");
        return as(() -> protocol.finishApplicationMaster(request)).getIsUnregistered();
    }

    /** Uses this token from now on; returns it as {@link #token} reads it. */
    byte[] renew(org.apache.hadoop.yarn.api.records.Token renewed) throws IOException {
        Token<AMRMTokenIdentifier> token = new Token<>(
                renewed.getIdentifier().array(),
                renewed.getPassword().array(),
                new Text(renewed.getKind()),
                ClientRMProxy.getAMRMTokenService(conf));
        user.addToken(token);
        return bytes(token);
    }

    static byte[] bytes(Token<?> token) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        token.write(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    static Token<AMRMTokenIdentifier> token(byte[] bytes) throws IOException {
        Token<AMRMTokenIdentifier> token = new Token<>();
        token.readFields(new DataInputStream(new ByteArrayInputStream(bytes)));
        return token;
    }

    /** Calls YARN as the user of the attempt. */
    <T> T as(PrivilegedExceptionAction<T> action) throws YarnException, IOException {
        try {
            return user.doAs(action);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (UndeclaredThrowableException e) {
            if (e.getCause() instanceof YarnException cause) {
                throw cause;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        RPC.stopProxy(protocol);
    }
}
