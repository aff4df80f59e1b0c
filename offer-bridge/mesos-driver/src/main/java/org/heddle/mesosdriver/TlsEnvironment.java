// SPDX-License-Identifier: Apache-2.0
package org.heddle.mesosdriver;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * TLS by the environment variables of Mesos' own library: LIBPROCESS_SSL_ENABLED and LIBPROCESS_SSL_CA_FILE, or
 * SSL_ENABLED and SSL_CA_FILE. Unlike that library this driver always verifies certificates and host names.
 */
final class TlsEnvironment {
    private final Map<String, String> variables;

    TlsEnvironment(Map<String, String> variables) {
        this.variables = variables;
    }

    private String value(String name) {
        return variables.getOrDefault("LIBPROCESS_" + name, variables.getOrDefault(name, ""));
    }

    boolean isEnabled() {
        return value("SSL_ENABLED").equals("1") || value("SSL_ENABLED").equalsIgnoreCase("true");
    }

    /** Trust in the certificates of the file; null without a file: then Java's own trust holds. */
    @Nullable
    SSLSocketFactory trust() throws IOException {
        String file = value("SSL_CA_FILE");
        if (file.isEmpty()) {
            return null;
        }
        try (InputStream in = Files.newInputStream(Paths.get(file))) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int count = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca-" + count++, certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot use SSL_CA_FILE " + file + ": " + e.getMessage(), e);
        }
    }
}
