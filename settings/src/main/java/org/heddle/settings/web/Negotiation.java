// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.web;

import java.io.IOException;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Base64;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.heddle.settings.Sentences;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.Oid;

/** Authenticates requests with Kerberos (SPNEGO, RFC 4559). */
public interface Negotiation {
    /**
     * The value of the field Authorization of a request to a host.
     *
     * @throws IOException one sentence, if there is no ticket
     */
    String authorization(String host) throws IOException;

    /** With the ticket that kinit has stored for this user; it is looked for at each request. */
    static Negotiation ofTicketCache() {
        return host -> {
            Map<String, String> options =
                    Map.of("useTicketCache", "true", "doNotPrompt", "true", "isInitiator", "true");
            Configuration login = new Configuration() {
                @Override
                public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
                    return new AppConfigurationEntry[] {
                        new AppConfigurationEntry(
                                "com.sun.security.auth.module.Krb5LoginModule",
                                LoginModuleControlFlag.REQUIRED,
                                options)
                    };
                }
            };
            try {
                LoginContext context = new LoginContext("heddle", new Subject(), null, login);
                context.login();
                PrivilegedExceptionAction<String> make = () -> ofSubject().authorization(host);
                return Subject.doAs(context.getSubject(), make);
            } catch (LoginException e) {
                throw new IOException("there is no Kerberos ticket; run kinit first", e);
            } catch (PrivilegedActionException e) {
                throw new IOException(Sentences.of(e.getException()), e);
            }
        };
    }

    /** As the subject of the calling thread, which has logged in. */
    static Negotiation ofSubject() {
        return host -> {
            try {
                GSSManager manager = GSSManager.getInstance();
                GSSName service = manager.createName("HTTP@" + host, GSSName.NT_HOSTBASED_SERVICE);
                GSSContext context =
                        manager.createContext(service, new Oid("1.3.6.1.5.5.2"), null, GSSContext.DEFAULT_LIFETIME);
                try {
                    context.requestMutualAuth(true);
                    byte[] token = context.initSecContext(new byte[0], 0, 0);
                    return "Negotiate " + Base64.getEncoder().encodeToString(token);
                } finally {
                    context.dispose();
                }
            } catch (GSSException e) {
                throw new IOException(
                        "Kerberos has no ticket for HTTP/" + host + ": " + e.getMessage() + "; run kinit", e);
            }
        };
    }
}
