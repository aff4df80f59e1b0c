// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The certificates of bridges that this Java does not trust by itself. */
final class TrustStore {
    private TrustStore() {}

    /** @param file a key store in PKCS12 or JKS */
    static SSLContext load(String file, String password) {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            KeyStore store = KeyStore.getInstance("PKCS12"); // Java reads JKS by this name too
            store.load(in, password.isEmpty() ? null : password.toCharArray());
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    OffersSettings.TRUST_STORE + " = " + file + ": no key store could be read: " + e.getMessage(), e);
        }
    }
}
