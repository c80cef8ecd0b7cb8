package io.nightsweep.endpoint;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The machine's certificates together with those of a file, such as a company's own authority.
 *
 * @param manager trusts all of them
 */
record TrustedCertificates(SSLSocketFactory sockets, X509TrustManager manager) {

  /**
   * @param pem one certificate or several
   * @throws IOException where the file cannot be read as such
   */
  static TrustedCertificates beside(Path pem) throws IOException {
    try (InputStream in = Files.newInputStream(pem)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (X509Certificate own : manager(null).getAcceptedIssuers()) {
        store.setCertificateEntry("own-" + store.size(), own);
      }
      for (Certificate more : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("more-" + store.size(), more);
      }
      X509TrustManager manager = manager(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {manager}, null);
      return new TrustedCertificates(context.getSocketFactory(), manager);
    } catch (GeneralSecurityException e) {
      throw new IOException(pem + " holds no certificates: " + e.getMessage(), e);
    }
  }

  private static X509TrustManager manager(@Nullable KeyStore store)
      throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return Arrays.stream(factory.getTrustManagers())
        .filter(X509TrustManager.class::isInstance)
        .map(X509TrustManager.class::cast)
        .findFirst()
        .orElseThrow(() -> new GeneralSecurityException("no X.509 trust manager"));
  }
}
