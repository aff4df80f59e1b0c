// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS which accepts only the certificate whose SHA-256 the agent was started with. Without that, connections are not
 * encrypted.
 */
final class PinnedTls {
    private final @Nullable SSLContext context;

    PinnedTls(String fingerprint) {
        if (fingerprint.isEmpty()) {
            context = null;
            return;
        }
        try {
            SSLContext made = SSLContext.getInstance("TLS");
            made.init(null, new TrustManager[] {new Pinned(HexFormat.of().parseHex(fingerprint))}, null);
            context = made;
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("this Java cannot speak TLS: " + e.getMessage(), e);
        }
    }

    /** The connection to use; it ends when the plain one is closed. */
    Socket of(Socket plain, InetSocketAddress bridge) throws IOException {
        if (context == null) {
            return plain;
        }
        SSLSocket socket = (SSLSocket)
                context.getSocketFactory().createSocket(plain, bridge.getHostString(), bridge.getPort(), true);
        socket.startHandshake();
        return socket;
    }

    /** Compares the certificate itself; names, issuers and dates do not matter. */
    private static final class Pinned implements X509TrustManager {
        private final byte[] expected;

        Pinned(byte[] expected) {
            this.expected = expected;
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) throws CertificateException {
            throw new CertificateException("agents accept no connections");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
            try {
                byte[] shown = MessageDigest.getInstance("SHA-256").digest(chain[0].getEncoded());
                if (!MessageDigest.isEqual(shown, expected)) {
                    throw new CertificateException("this is not the bridge that started the agent: its certificate has"
                            + " SHA-256 " + HexFormat.of().formatHex(shown));
                }
            } catch (NoSuchAlgorithmException e) {
                throw new CertificateException(e);
            }
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
