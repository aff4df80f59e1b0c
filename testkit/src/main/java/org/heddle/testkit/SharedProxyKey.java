// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyPairGeneratorSpi;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All ResourceManagers of a JVM get the same key pair for the certificates of their web proxy. Hadoop generates one
 * whenever a ResourceManager starts, also where nothing uses https, and that took a third of the processor time of
 * tests that start hundreds of them. Every other class gets a new pair from Java's own provider.
 */
public final class SharedProxyKey {
    private static final String PROXY = "org.apache.hadoop.yarn.server.webproxy.ProxyCA";

    static {
        Security.insertProviderAt(new SharingProvider(), 1);
    }

    private SharedProxyKey() {}

    /** To be called before a ResourceManager starts; any number of times. */
    public static void install() {
        // the static block does it once
    }

    private static final class SharingProvider extends Provider {
        private static final long serialVersionUID = 1;

        SharingProvider() {
            super("HeddleTests", "1", "one key pair for the web proxies of all ResourceManagers");
            putService(new Service(this, "KeyPairGenerator", "RSA", Generator.class.getName(), null, null) {
                @Override
                public Object newInstance(Object parameter) {
                    return new Generator();
                }
            });
        }
    }

    /** Java's own generator behind a memory of one pair, for the proxy only. */
    private static final class Generator extends KeyPairGeneratorSpi {
        /** By size in bits. */
        private static final Map<Integer, KeyPair> SHARED = new ConcurrentHashMap<>();

        private final KeyPairGenerator real;
        private final boolean forProxy = StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(PROXY)));
        private int size;

        Generator() {
            try {
                real = KeyPairGenerator.getInstance("RSA", "SunRsaSign");
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("Java's own provider of RSA is missing", e);
            }
        }

        @Override
        public void initialize(int bits, SecureRandom random) {
            size = bits;
            real.initialize(bits, random);
        }

        @Override
        public KeyPair generateKeyPair() {
            return forProxy ? SHARED.computeIfAbsent(size, bits -> real.generateKeyPair()) : real.generateKeyPair();
        }
    }
}
