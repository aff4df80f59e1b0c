// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.client;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.Oid;

/** Authenticates the user with the Kerberos ticket from kinit. */
public final class SpnegoNegotiation {
    private static final String SPNEGO = "1.3.6.1.5.5.2";
    private static final String MODULE = "com.sun.security.auth.module.Krb5LoginModule";

    private final Subject subject;

    private SpnegoNegotiation(Subject subject) {
        this.subject = subject;
    }

    /** With the ticket cache of the current user. @throws CommandException if it has no ticket */
    public static SpnegoNegotiation withTicketCache() {
        Map<String, String> options = Map.of("useTicketCache", "true", "doNotPrompt", "true", "isInitiator", "true");
        Configuration login = new Configuration() {
            @Override
            public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
                return new AppConfigurationEntry[] {
                    new AppConfigurationEntry(MODULE, LoginModuleControlFlag.REQUIRED, options)
                };
            }
        };
        try {
            LoginContext context = new LoginContext("heddle-market", new Subject(), null, login);
            context.login();
            return new SpnegoNegotiation(context.getSubject());
        } catch (LoginException e) {
            throw new CommandException(CommandException.WRONG, "there is no Kerberos ticket; run kinit first");
        }
    }

    /**
     * The value of the Authorization field of a request to a host, by the ticket that the current user has now.
     *
     * @throws UncheckedIOException whose message is a sentence, if there is no ticket
     */
    public static String authorization(String host) {
        try {
            return "Negotiate " + withTicketCache().token(host);
        } catch (CommandException e) {
            throw new UncheckedIOException(String.valueOf(e.getMessage()), new IOException(e));
        }
    }

    /** A token for the Authorization field of a request to a host. @throws CommandException if Kerberos gives none */
    public String token(String host) {
        try {
            PrivilegedExceptionAction<byte[]> make = () -> {
                GSSManager manager = GSSManager.getInstance();
                GSSName service = manager.createName("HTTP@" + host, GSSName.NT_HOSTBASED_SERVICE);
                GSSContext context = manager.createContext(service, new Oid(SPNEGO), null, GSSContext.DEFAULT_LIFETIME);
                try {
                    context.requestMutualAuth(true);
                    return context.initSecContext(new byte[0], 0, 0);
                } finally {
                    context.dispose();
                }
            };
            return Base64.getEncoder().encodeToString(Subject.doAs(subject, make));
        } catch (PrivilegedActionException e) {
            String why = e.getCause() instanceof GSSException gss ? gss.getMessage() : String.valueOf(e.getMessage());
            throw new CommandException(
                    CommandException.WRONG, "Kerberos has no ticket for HTTP/" + host + ": " + why + "; run kinit");
        }
    }
}
