// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import java.nio.file.Path;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Base64;
import java.util.Set;
import java.util.function.Function;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KeyTab;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSCredential;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.Oid;
import org.jspecify.annotations.Nullable;

/**
 * Authentication of HTTP clients by their Kerberos tickets (SPNEGO, RFC 4559). It needs the key of the bridge's HTTP
 * principal and no contact to a KDC. Thread-safe.
 */
public final class Spnego {
    private static final String SCHEME = "Negotiate ";
    private static final String SPNEGO = "1.3.6.1.5.5.2";
    private static final String KERBEROS = "1.2.840.113554.1.2.2";
    private static final String KERBEROS_NAME = "1.2.840.113554.1.2.2.1";

    private final String principal;
    private final Subject subject;
    private final Function<String, @Nullable String> shortName;

    private Spnego(String principal, Subject subject, Function<String, @Nullable String> shortName) {
        this.principal = principal;
        this.subject = subject;
        this.shortName = shortName;
    }

    /**
     * Proves clients with a key that must be in the keytab by the time they come.
     *
     * @param principal {@code HTTP/host@REALM}, where the host is the one in the clients' addresses
     * @param shortName the user name for a client's principal, or null if it may not connect
     */
    public static Spnego open(String principal, Path keytab, Function<String, @Nullable String> shortName) {
        KerberosPrincipal owner = new KerberosPrincipal(principal);
        KeyTab keys = KeyTab.getInstance(owner, keytab.toFile());
        return new Spnego(principal, new Subject(false, Set.of(owner), Set.of(), Set.of(keys)), shortName);
    }

    static boolean isNegotiate(@Nullable String header) {
        return header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    }

    /** The user whom an {@code Authorization: Negotiate} header proves, or null. Each token proves it once. */
    @Nullable
    String prove(String header) {
        byte[] token;
        try {
            token = Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
        } catch (IllegalArgumentException e) {
            return null;
        }
        try {
            String client = Subject.doAs(subject, (PrivilegedExceptionAction<@Nullable String>) () -> accept(token));
            return client == null ? null : shortName.apply(client);
        } catch (PrivilegedActionException e) {
            return null;
        }
    }

    private @Nullable String accept(byte[] token) throws GSSException {
        GSSContext context = GSSManager.getInstance().createContext(acceptor());
        try {
            context.acceptSecContext(token, 0, token.length);
            return context.isEstablished() ? context.getSrcName().toString() : null;
        } finally {
            context.dispose();
        }
    }

    private GSSCredential acceptor() throws GSSException {
        GSSManager manager = GSSManager.getInstance();
        GSSName name = manager.createName(principal, new Oid(KERBEROS_NAME));
        return manager.createCredential(
                name,
                GSSCredential.INDEFINITE_LIFETIME,
                new Oid[] {new Oid(SPNEGO), new Oid(KERBEROS)},
                GSSCredential.ACCEPT_ONLY);
    }
}
